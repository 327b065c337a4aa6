import type { Database } from '@shapecast/platform/database/database'
import { type Candidate, type Led, standForLead } from '@shapecast/platform/database/lead'
import { createAnnouncer } from './announcer.ts'
import type { FollowTiming } from './follow-series.ts'
import type { FeedBasis } from './followed-set.ts'
import { type LiveSource, startLiveFeed } from './live-feed.ts'
import { startTickingFeed } from './ticking-feed.ts'

export interface FeedDeps extends Omit<FeedBasis, 'announcer'> {
  readonly db: Database
  /** The exchange behind the venue; null for a market that knows its candles itself. */
  readonly live: LiveSource | null
  readonly timing?: FollowTiming | undefined
  /** How often a process that does not lead tries to, ms. */
  readonly tryEveryMs?: number | undefined
}

/**
 * The feed of a market. Any number of processes may start it: one at a time, elected by a lock of the database, follows
 * the market and tells all the others; where it dies another goes on within seconds, from the last stored candle.
 */
export function startFeed(deps: FeedDeps): Candidate {
  const { db, venue, live, log, timing } = deps
  return standForLead({
    locks: db.locks,
    name: `feed ${venue.name}`,
    log,
    tryEveryMs: deps.tryEveryMs,
    async lead(): Promise<Led> {
      const announcer = createAnnouncer({ pool: db.pool, log })
      const basis = { ...deps, announcer }
      const led = live === null ? startTickingFeed(basis) : startLiveFeed({ ...basis, ...live, timing })
      return {
        async stop() {
          await led.stop()
          await announcer.stop()
        },
      }
    },
  })
}
