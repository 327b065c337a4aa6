import { bigint, doublePrecision, integer, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../trading-schema.ts'

/** What is stored of one venue, symbol and timeframe. Count, range and gaps are kept up by whoever writes candles. */
export const series = tradingSchema.table(
  'series',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    candles: integer('candles').notNull().default(0),
    /** Open times in ms; null while there are no candles. */
    firstTs: bigint('first_ts', { mode: 'number' }),
    lastTs: bigint('last_ts', { mode: 'number' }),
    /** Runs of missing candles between the first and the last. */
    gapCount: integer('gap_count').notNull().default(0),
    /** Grows where candles that were there, or lie before the last one, change; candles added at the end leave it. */
    revision: integer('revision').notNull().default(0),
  },
  (t) => [unique('series_name').on(t.venue, t.symbol, t.timeframe)],
)

/** Written and read in bulk by binary COPY only: the order of the columns is that of candle-copy.ts. */
export const candles = tradingSchema.table(
  'candles',
  {
    /** Of the table above. No foreign key: its check on each of a million rows would cost as much as storing them. */
    seriesId: integer('series_id').notNull(),
    /** Open time, ms UTC. */
    ts: bigint('ts', { mode: 'number' }).notNull(),
    open: doublePrecision('open').notNull(),
    high: doublePrecision('high').notNull(),
    low: doublePrecision('low').notNull(),
    close: doublePrecision('close').notNull(),
    /** Base asset. */
    volume: doublePrecision('volume').notNull(),
  },
  (t) => [primaryKey({ name: 'candles_key', columns: [t.seriesId, t.ts] })],
)
