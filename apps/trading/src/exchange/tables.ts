import { boolean, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../ground/kept-of-users.ts'
import { tradingSchema } from '../ground/trading-schema.ts'
import { ms, units } from '../ledger/columns.ts'

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

/** Whether bots may trade real money on one network, and how much of it they may together. Without a row as by default. */
export const realTrading = tradingSchema.table(
  'real_trading',
  {
    venue: text('venue').notNull(),
    network: text('network', { enum: ['testnet', 'mainnet'] }).notNull(),
    /** When the kill switch was used; null while it is off. */
    killedAtMs: ms('killed_at_ms'),
    killedBy: uuid('killed_by'),
    killedReason: text('killed_reason'),
    /** Whether what the bots hold is to be sold too. */
    closing: boolean('closing').notNull().default(false),
    /** Quote. */
    maxBots: units('max_bots').notNull(),
    maxOrdersAMinute: integer('max_orders_a_minute').notNull(),
  },
  (t) => [primaryKey({ name: 'real_trading_key', columns: [t.venue, t.network] })],
)
export type RealTradingRow = typeof realTrading.$inferSelect

/** Of keys only that there are any. */
export const EXCHANGE_OF_USERS: KeptOfUsers = {
  exchangeKeys: { table: exchangeKeys, columns: 'venue, network, saved_at_ms', deleted: ofUser },
  tradingLimits: { table: tradingLimits, columns: 'venue, network, max_order, max_day, saved_at_ms', deleted: ofUser },
}
