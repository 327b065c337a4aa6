import { primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../../trading-schema.ts'
import { ms, units } from '../books/columns.ts'

/** Encrypted API keys of people at the venue, one a network. */
export const exchangeKeys = tradingSchema.table(
  'exchange_keys',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    network: text('network', { enum: ['testnet', 'mainnet'] }).notNull(),
    sealed: text('sealed').notNull(),
    lastFour: text('last_four').notNull(),
    /** Tells one account at the exchange from another without saying which it is: the same under every key of it. */
    mark: text('mark').notNull(),
    savedAtMs: ms('saved_at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'exchange_keys_key', columns: [t.userId, t.venue, t.network] })],
)

/** The most that real orders of a person may be worth on one network, in quote: each, and all of 24 hours. */
export const tradingLimits = tradingSchema.table(
  'trading_limits',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    network: text('network', { enum: ['testnet', 'mainnet'] }).notNull(),
    maxOrder: units('max_order').notNull(),
    maxDay: units('max_day').notNull(),
    savedAtMs: ms('saved_at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'trading_limits_key', columns: [t.userId, t.venue, t.network] })],
)
