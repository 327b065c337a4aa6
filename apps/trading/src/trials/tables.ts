import type { TrialKind } from '@shapecast/contracts/trials'
import { bigint, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../ground/kept-of-users.ts'
import { tradingSchema } from '../ground/trading-schema.ts'

/** What users tried on a series, with any result: rows are deleted with their user, and by nothing else. */
export const trials = tradingSchema.table(
  'trials',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    kind: text('kind').$type<TrialKind>().notNull(),
    /** SHA-256 (hex) of what was tried: the same again is no other trial. */
    hash: text('hash').notNull(),
    /** How many trials it was: more than one of a search. */
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ name: 'trials_key', columns: [t.userId, t.venue, t.symbol, t.timeframe, t.kind, t.hash] })],
)

/** Stretches of candles that runs of users reached into: what none of them did may be kept for one last look. */
export const openedCandles = tradingSchema.table(
  'opened_candles',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    /** Open times of the first and the last candle, ms. */
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** When the first run of them ended. */
    openedAtMs: bigint('opened_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'opened_candles_key', columns: [t.userId, t.venue, t.symbol, t.timeframe, t.fromMs, t.toMs] }),
  ],
)

export const TRIALS_OF_USERS: KeptOfUsers = {
  openedCandles: {
    table: openedCandles,
    columns: 'venue, symbol, timeframe, from_ms, to_ms, opened_at_ms',
    deleted: ofUser,
  },
  trials: { table: trials, columns: 'venue, symbol, timeframe, kind, count', deleted: ofUser },
}
