import type { Market } from '@shapecast/contracts/market'
import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, doublePrecision, index, integer, jsonb, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../ground/trading-schema.ts'

/** What is stored of one venue, symbol and timeframe. Count, range and gaps are kept up by every write of candles. */
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
    /** When the venue said it, ms by its clock; 0 where it was imported or made of smaller candles. */
    heardMs: bigint('heard_ms', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ name: 'candles_key', columns: [t.seriesId, t.ts] })],
)

/** Runs of candles that the venue itself does not have: asked for, and not there although later ones are. */
export const knownGaps = tradingSchema.table(
  'known_gaps',
  {
    seriesId: integer('series_id').notNull(),
    /** Open times in ms of the first and the last missing candle. */
    fromTs: bigint('from_ts', { mode: 'number' }).notNull(),
    toTs: bigint('to_ts', { mode: 'number' }).notNull(),
    checkedAtMs: bigint('checked_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'known_gaps_key', columns: [t.seriesId, t.fromTs] })],
)

/** A stored candle that the venue has sent again with other values. The candles table has the later ones. */
export const candleRevisions = tradingSchema.table(
  'candle_revisions',
  {
    id: idColumn(),
    seriesId: integer('series_id').notNull(),
    ts: bigint('ts', { mode: 'number' }).notNull(),
    /** open, high, low, close, volume */
    before: doublePrecision('before').array().notNull(),
    after: doublePrecision('after').array().notNull(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [index('candle_revisions_by_series').on(t.seriesId, t.ts)],
)

/** The markets of an exchange as it last told them. */
export const venueMarkets = tradingSchema.table('venue_markets', {
  venue: text('venue').primaryKey(),
  markets: jsonb('markets').$type<Market[]>().notNull(),
  fetchedAtMs: bigint('fetched_at_ms', { mode: 'number' }).notNull(),
})
