import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { jobsOfUser } from '../ground/jobs/tables.ts'
import { type KeptOfUsers, ofUser } from '../ground/kept-of-users.ts'
import { bytea, tradingSchema } from '../ground/trading-schema.ts'
import type { SeenRange } from './seen-ranges.ts'

/** Without what is worked out as it is shown. */
export type StoredSummary = Omit<BacktestRunSummary, '_id' | 'judged'>

/** What a list of runs shows. The large parts are in a table of their own, which a list never touches. */
export const backtestRuns = tradingSchema.table(
  'backtest_runs',
  {
    id: idColumn(),
    /** Null where it was run from the command line. */
    userId: uuid('user_id'),
    /** Kept after the bot is deleted; nobody but the run's own user sees it then. */
    botId: uuid('bot_id'),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    summary: jsonb('summary').$type<StoredSummary>().notNull(),
    /** Of the artifacts that forecast for it, as in its details; null for runs from before it was kept here. */
    modelHashes: text('model_hashes').array(),
    /** What its user calls it, and writes on it. */
    name: text('name'),
    note: text('note'),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    index('backtest_runs_newest').on(t.createdAtMs.desc()),
    index('backtest_runs_by_user').on(t.userId, t.createdAtMs.desc()),
    index('backtest_runs_by_bot').on(t.botId),
  ],
)

export const backtestRunDetails = tradingSchema.table('backtest_run_details', {
  runId: uuid('run_id')
    .primaryKey()
    .references(() => backtestRuns.id, { onDelete: 'cascade' }),
  /** Brotli of the JSON of RunDetail. */
  bytes: bytea('bytes').notNull(),
})

/** Forecasts of earlier runs, so that the next one on the same artifact and candles asks no model. */
export const backtestForecasts = tradingSchema.table(
  'backtest_forecasts',
  {
    artifactId: uuid('artifact_id').notNull(),
    /** Open times of the first and the last candle of the run, ms, and how many there are. */
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    candles: integer('candles').notNull(),
    /** Candles before the run that they rest on. */
    history: integer('history').notNull(),
    /** Of all candles that they rest on. */
    candlesHash: text('candles_hash').notNull(),
    seen: jsonb('seen').$type<Omit<SeenRange, 'version'>>().notNull(),
    /** Columns of doubles, then one of bytes. */
    columns: bytea('columns').notNull(),
    bytes: integer('bytes').notNull(),
    usedAtMs: bigint('used_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'backtest_forecasts_key', columns: [t.artifactId, t.fromMs, t.toMs, t.candles] }),
    index('backtest_forecasts_by_use').on(t.usedAtMs.desc()),
  ],
)

export const BACKTESTS_OF_USERS: KeptOfUsers = {
  backtestJobs: jobsOfUser('backtest', true),
  backtestRuns: {
    table: backtestRuns,
    columns: 'id, bot_id, venue, symbol, timeframe, summary, name, note, created_at_ms',
    deleted: ofUser,
  },
}

/**
 * Whether a backtest was of an artifact `a`; of runs from before that was written down, of whatever they can have been of.
 */
export const wasBacktested = sql`exists (select from ${backtestRuns} r where r.venue = a.venue and r.symbol = a.symbol
  and r.timeframe = a.timeframe
  and (a.hash = any(r.model_hashes) or (r.model_hashes is null and r.created_at_ms >= a.created_at_ms)))`
