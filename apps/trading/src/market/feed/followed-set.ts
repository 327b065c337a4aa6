import type { Timeframe } from '@shapecast/contracts/timeframes'
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

export type Closed = (symbol: string, timeframe: Timeframe, candleTs: number) => void

const keyOf = ({ symbol, timeframe }: Followed): string => `${symbol} ${timeframe ?? ''}`

/**
 * The series to follow: all lasting ones, then those looked at last up to a hundred, each once, and only symbols that
 * the venue has.
 */
export async function followedSet(
  wanted: Wanted,
  isKnown: (symbol: string) => boolean,
): Promise<Map<string, Followed>> {
  const set = new Map<string, Followed>()
  for (const one of await wanted.lasting()) if (isKnown(one.symbol)) set.set(keyOf(one), one)
  for (const one of await wanted.used(MOST_FOLLOWED))
    if (set.size < MOST_FOLLOWED && isKnown(one.symbol)) set.set(keyOf(one), one)
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
