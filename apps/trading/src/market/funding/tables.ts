import { bigint, doublePrecision, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../ground/trading-schema.ts'

/** Funding rates of a symbol: a row a stretch that has every rate, so that what lies between two rows is not known. */
export const fundingStretches = tradingSchema.table(
  'funding_stretches',
  {
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    /** Known after this, up to and with `untilMs`. */
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    untilMs: bigint('until_ms', { mode: 'number' }).notNull(),
    /** Another after every change. */
    revision: uuid('revision').notNull().defaultRandom(),
    /** Settlements, ms, with the rate of each and the mark price, NaN where there is none. */
    ts: bigint('ts', { mode: 'number' }).array().notNull(),
    rate: doublePrecision('rate').array().notNull(),
    mark: doublePrecision('mark').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.venue, t.symbol, t.fromMs] })],
)
