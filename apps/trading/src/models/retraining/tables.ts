import type { RETRAIN_MODES } from '@shapecast/contracts/retraining'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, boolean, integer, text, unique, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../../ground/kept-of-users.ts'
import { tradingSchema } from '../../ground/trading-schema.ts'

/** A version on a series that is trained again by itself. */
export const retrainings = tradingSchema.table(
  'retrainings',
  {
    id: idColumn(),
    version: text('version').notNull(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').$type<Timeframe>().notNull(),
    everyDays: integer('every_days'),
    onDrift: boolean('on_drift').notNull(),
    mode: text('mode').$type<(typeof RETRAIN_MODES)[number]>().notNull(),
    userId: uuid('user_id').notNull(),
    /** Whether a manager set it, who stands behind what comes of it. */
    byManager: boolean('by_manager').notNull(),
    /** From when the days count, in ms of the market: when it was set, then of each training. */
    countsFromMs: bigint('counts_from_ms', { mode: 'number' }).notNull(),
    /** ms of the market; null before the first. */
    lastAtMs: bigint('last_at_ms', { mode: 'number' }),
    /** The artifact that was found worse and answered by a training. */
    driftOf: uuid('drift_of'),
    jobId: uuid('job_id'),
    error: text('error'),
    /** ms of our clock: no attempt before. */
    triesAtMs: bigint('tries_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [unique('retrainings_one').on(t.version, t.venue, t.symbol, t.timeframe)],
)
export type RetrainingRow = typeof retrainings.$inferSelect

export const RETRAININGS_OF_USERS: KeptOfUsers = {
  retrainings: {
    table: retrainings,
    columns: 'version, venue, symbol, timeframe, every_days, on_drift, mode, last_at_ms',
    deleted: ofUser,
  },
}
