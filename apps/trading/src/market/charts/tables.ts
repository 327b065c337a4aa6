import type { ChartLine, WatchedSeries } from '@shapecast/contracts/charts'
import { jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../../ground/kept-of-users.ts'
import { tradingSchema } from '../../ground/trading-schema.ts'

export const watchlists = tradingSchema.table(
  'watchlists',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    series: jsonb('series').$type<WatchedSeries[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.venue] })],
)

export const chartLines = tradingSchema.table(
  'chart_lines',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    lines: jsonb('lines').$type<ChartLine[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.venue, t.symbol] })],
)

export const CHARTS_OF_USERS: KeptOfUsers = {
  watchlists: { table: watchlists, columns: 'venue, series', deleted: ofUser },
  chartLines: { table: chartLines, columns: 'venue, symbol, lines', deleted: ofUser },
}
