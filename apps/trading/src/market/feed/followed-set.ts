import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Logger } from '@shapecast/platform/logging'
import type { Venue } from '@shapecast/venues/venue'
import type { Announcer } from './announcer.ts'
import type { Followed } from './series-use.ts'

/** Series that somebody looks at are followed up to so many: a venue allows so many streams, and a machine so much work. */
export const MOST_FOLLOWED = 100

/** What asks for series, the most important first. */
export interface Wanted {
  /** Series that are always wanted, such as those of active bots. */
  lasting(): Promise<Followed[]>
  /** Series that somebody looks at, the latest first, at most `most`. */
  used(most: number): Promise<Followed[]>
}

/** Called where all candles of a followed series up to the one that opened then are there, also the first time. */
export type Closed = (symbol: string, timeframe: Timeframe, candleTs: number) => void

/** What both kinds of feed stand on. */
export interface FeedBasis {
  readonly venue: Venue
  readonly wanted: Wanted
  readonly closed: Closed
  readonly announcer: Announcer
  readonly log: Logger
  readonly now: () => number
}

const keyOf = ({ symbol, timeframe }: Followed): string => `${symbol} ${timeframe ?? ''}`

/**
 * The series to follow: all lasting ones, then those looked at last up to a hundred, each once, and only symbols that
 * the venue has. Throws while these are not known.
 */
export async function followedSet(wanted: Wanted, venue: Pick<Venue, 'markets'>): Promise<Map<string, Followed>> {
  const known = new Set((await venue.markets()).map(({ id }) => id))
  const set = new Map<string, Followed>()
  for (const one of await wanted.lasting()) if (known.has(one.symbol)) set.set(keyOf(one), one)
  for (const one of await wanted.used(MOST_FOLLOWED))
    if (set.size < MOST_FOLLOWED && known.has(one.symbol)) set.set(keyOf(one), one)
  return set
}

/** Stops what is not wanted any more and starts what is new. */
export function reconcile<T extends { stop(): unknown }>(
  running: Map<string, T>,
  wanted: ReadonlySet<string>,
  start: (key: string) => T,
): void {
  for (const [key, one] of running)
    if (!wanted.has(key)) {
      running.delete(key)
      void one.stop()
    }
  for (const key of wanted) if (!running.has(key)) running.set(key, start(key))
}
