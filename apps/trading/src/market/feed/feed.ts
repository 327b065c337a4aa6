import type { Database } from '@shapecast/platform/database/database'
import { type Candidate, type Led, standForLead } from '@shapecast/platform/database/lead'
import type { Logger } from '@shapecast/platform/logging'
import type { LiveVenue } from '@shapecast/venues/live-venue'
import type { Venue } from '@shapecast/venues/venue'
import { createAnnouncer } from './announcer.ts'
import type { FollowTiming, SeriesStore } from './follow-series.ts'
import type { Closed, Wanted } from './followed-set.ts'
import { startLiveFeed } from './live-feed.ts'
import { startTickingFeed } from './ticking-feed.ts'

export interface FeedDeps {
  readonly db: Database
  readonly venue: Venue
  /** The exchange behind the venue and where its candles are kept; null for a market that knows its candles itself. */
  readonly live: { readonly source: LiveVenue; readonly store: SeriesStore } | null
  readonly wanted: Wanted
  /** Called where all candles of a followed series up to the one that opened then are there, also the first time. */
  readonly closed: Closed
  readonly log: Logger
  readonly now: () => number
  readonly timing?: FollowTiming | undefined
  /** How often a process that does not lead tries to, ms. */
  readonly tryEveryMs?: number | undefined
}

/**
 * The feed of a market. Any number of processes may start it: one at a time, elected by a lock of the database, follows
 * the market and tells all the others; where it dies another goes on within seconds, from the last stored candle.
 */
export function startFeed(deps: FeedDeps): Candidate {
  const { db, venue, live, wanted, closed, log, now } = deps
  return standForLead({
    locks: db.locks,
    name: `feed ${venue.name}`,
    log,
    tryEveryMs: deps.tryEveryMs,
    async lead(): Promise<Led> {
      const announcer = createAnnouncer({ pool: db.pool, log })
      const common = { wanted, closed, announcer, log, now }
      const led =
        live === null
          ? startTickingFeed({ ...common, venue })
          : startLiveFeed({
              ...common,
              ...live,
              ...(deps.timing === undefined ? {} : { timing: deps.timing }),
              async isKnown() {
                const ids = new Set((await venue.markets()).map((market) => market.id))
                return (symbol) => ids.has(symbol)
              },
            })
      return {
        async stop() {
          await led.stop()
          await announcer.stop()
        },
      }
    },
  })
}
