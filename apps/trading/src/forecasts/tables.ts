import { bigint, doublePrecision, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../ground/trading-schema.ts'
import { medianColumns } from './record/shown-prediction.ts'

/**
 * Forecasts worked out afterwards, kept so that a chart need not wait for them twice. They are no track record: the
 * sealed ones, made before their outcome, have a table of their own.
 */
export const predictions = tradingSchema.table(
  'predictions',
  {
    /** Of the artifacts table; goes with it. */
    artifactId: uuid('artifact_id').notNull(),
    /** Open time of the candle at whose close the forecast is made, ms UTC. */
    ts: bigint('ts', { mode: 'number' }).notNull(),
    /** Of that candle's prices and volume: where they change, the row is made again. */
    candleCheck: bigint('candle_check', { mode: 'number' }).notNull(),
    /** DECISION code. */
    signal: smallint('signal').notNull(),
    /** NaN, like all that follow, where no forecast is possible. */
    confidence: doublePrecision('confidence').notNull(),
    /** Close, quote. */
    price: doublePrecision('price').notNull(),
    ...medianColumns(),
    stopLoss: doublePrecision('stop_loss').notNull(),
    edgeBps: doublePrecision('edge_bps').notNull(),
    madeAtMs: bigint('made_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'predictions_key', columns: [t.artifactId, t.ts] })],
)
