import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../../ground/kept-of-users.ts'
import { tradingSchema } from '../../ground/trading-schema.ts'

/** A range of candles that somebody works with. The candles themselves stay where they are; the hash says which they were. */
export const datasets = tradingSchema.table(
  'datasets',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    rows: integer('rows').notNull(),
    fromTs: bigint('from_ts', { mode: 'number' }).notNull(),
    toTs: bigint('to_ts', { mode: 'number' }).notNull(),
    /** SHA-256 of its candles, hexadecimal. */
    hash: text('hash').notNull(),
    active: boolean('active').notNull().default(false),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    unique('datasets_once').on(t.userId, t.venue, t.symbol, t.timeframe, t.fromTs, t.toTs, t.hash),
    uniqueIndex('datasets_one_active').on(t.userId, t.venue).where(sql`${t.active}`),
  ],
)
export type DatasetRow = typeof datasets.$inferSelect

export const DATASETS_OF_USERS: KeptOfUsers = {
  datasets: {
    table: datasets,
    columns: 'id, venue, symbol, timeframe, rows, from_ts, to_ts, hash, active, created_at_ms',
    deleted: ofUser,
  },
}
