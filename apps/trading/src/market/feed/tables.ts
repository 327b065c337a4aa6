import { bigint, index, primaryKey, text } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../ground/trading-schema.ts'

/** Series that somebody looks at, until they have not for a while. The feed follows them. */
export const seriesUse = tradingSchema.table(
  'series_use',
  {
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    expiresAtMs: bigint('expires_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'series_use_key', columns: [t.venue, t.symbol, t.timeframe] }),
    index('series_use_by_expiry').on(t.venue, t.expiresAtMs.desc()),
  ],
)
