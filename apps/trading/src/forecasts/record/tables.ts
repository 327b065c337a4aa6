import { sql } from 'drizzle-orm'
import { bigint, boolean, doublePrecision, index, integer, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../ground/trading-schema.ts'
import { medianColumns } from './shown-prediction.ts'

/**
 * Predictions written down before their outcome could be known. Append-only: a trigger refuses changes and deletions, and
 * each row's hash covers the one before it, so that what went past the trigger is found.
 */
export const sealedPredictions = tradingSchema.table(
  'sealed_predictions',
  {
    /** 1, 2, 3 … without a gap. */
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    version: text('version').notNull(),
    artifactId: uuid('artifact_id').notNull(),
    artifactHash: text('artifact_hash').notNull(),
    /** Open time of the candle at whose close it was made, ms. */
    candleTs: bigint('candle_ts', { mode: 'number' }).notNull(),
    /** The clock on the wall, and the market's, which is another one where history is replayed, ms. */
    madeAtMs: bigint('made_at_ms', { mode: 'number' }).notNull(),
    marketTimeMs: bigint('market_time_ms', { mode: 'number' }).notNull(),
    /** Horizon of P(up) and the signal, candles. */
    horizon: integer('horizon').notNull(),
    pUp: doublePrecision('p_up').notNull(),
    signal: text('signal', { enum: ['BUY', 'SELL', 'HOLD'] }).notNull(),
    confidence: doublePrecision('confidence').notNull(),
    /** Close, quote. */
    price: doublePrecision('price').notNull(),
    ...medianColumns(),
    stopLoss: doublePrecision('stop_loss').notNull(),
    edgeBps: doublePrecision('edge_bps').notNull(),
    /** Prices, [horizons × quantiles 5, 25, 50, 75, 95 %]. */
    fan: doublePrecision('fan').array().notNull(),
    reasoning: text('reasoning').notNull(),
    /** What knowing nothing would have said: the share of ups in training, and whether the last move would be reversed. */
    climatology: doublePrecision('climatology').notNull(),
    reversalUp: boolean('reversal_up').notNull(),
    previousHash: text('previous_hash').notNull(),
    /** SHA-256 over all of the above in this order, hexadecimal: see row-hash.ts. */
    rowHash: text('row_hash').notNull(),
  },
  (t) => [
    unique('sealed_once').on(t.artifactId, t.symbol, t.timeframe, t.candleTs),
    index('sealed_by_series').on(t.venue, t.symbol, t.timeframe, t.candleTs),
    index('sealed_by_version').on(t.venue, t.version, t.seq),
  ],
)
export type SealedRow = typeof sealedPredictions.$inferSelect

/** What came of a sealed prediction at each horizon that its fan has. */
export const sealedScores = tradingSchema.table(
  'sealed_scores',
  {
    seq: bigint('seq', { mode: 'number' })
      .notNull()
      .references(() => sealedPredictions.seq),
    horizon: integer('horizon').notNull(),
    /** Close, quote. */
    price: doublePrecision('price').notNull(),
    covered90: boolean('covered_90').notNull(),
    covered50: boolean('covered_50').notNull(),
    scoredAtMs: bigint('scored_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'sealed_scores_key', columns: [t.seq, t.horizon] })],
)

/** Where the chain ends; the one row of this table. A chain that was cut short no longer fits it. */
export const sealedHead = tradingSchema.table('sealed_head', {
  id: integer('id').primaryKey(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
  /** Outcomes that were ever written: fewer are there once some were deleted, even where they were written again. */
  scores: bigint('scores', { mode: 'number' }).notNull().default(0),
  /** Times that predictions of a closed candle came too late to be sealed. */
  late: bigint('late', { mode: 'number' }).notNull().default(0),
})

/** Whether a forecast of an artifact `a` is on record. */
export const isSealed = sql`exists (select from ${sealedPredictions} p where p.artifact_id = a.id)`
