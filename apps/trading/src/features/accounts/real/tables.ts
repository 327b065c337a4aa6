import { sql } from 'drizzle-orm'
import { type AnyPgColumn, doublePrecision, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../../trading-schema.ts'
import { ms, units } from '../columns.ts'
import { accounts } from '../tables.ts'

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

/** Real orders: written before anything is sent, and changed only by what the exchange says. */
export const realOrders = tradingSchema.table(
  'real_orders',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    network: text('network', { enum: ['testnet', 'mainnet'] }).notNull(),
    /** Of the account that it was sent to: only there "no such order" is an answer. */
    keyMark: text('key_mark').notNull(),
    clientOrderId: text('client_order_id').notNull().unique(),
    /** The exchange's id; null until it has said it. */
    venueOrderId: text('venue_order_id'),
    symbol: text('symbol').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    type: text('type', { enum: ['market', 'limit', 'stop'] }).notNull(),
    status: text('status', {
      enum: ['sending', 'open', 'filled', 'cancelled', 'rejected', 'expired', 'not_placed'],
    }).notNull(),
    statusReason: text('status_reason'),
    /** Base. */
    quantity: units('quantity').notNull(),
    filled: units('filled').notNull(),
    /** Limit or stop price. */
    price: doublePrecision('price'),
    average: doublePrecision('average'),
    source: text('source', { enum: ['user', 'auto_trade'] }).notNull(),
    /** Quote that it counts for against the limits of its day, were all of it filled. */
    counted: units('counted').notNull().default(sql`0`),
    createdAtMs: ms('created_at_ms').notNull(),
    closedAtMs: ms('closed_at_ms'),
    /** How often in a row it was looked up without news, and when next; null where there is nothing left to learn. */
    looks: integer('looks').notNull(),
    nextLookMs: ms('next_look_ms'),
    /** Of a purchase: the price of the stop-loss that has to stand at the exchange over what it bought. */
    guardPrice: doublePrecision('guard_price'),
    /** How often a stop was placed for it, and when that is looked after next; null where nothing is left to guard. */
    guardTries: integer('guard_tries').notNull().default(0),
    nextGuardMs: ms('next_guard_ms'),
    /** Of a stop: the purchase that it guards. */
    guardsId: uuid('guards_id').references((): AnyPgColumn => realOrders.id),
  },
  (t) => [
    index('real_orders_newest').on(t.accountId, t.id),
    index('real_orders_due').on(t.nextLookMs).where(sql`${t.nextLookMs} is not null`),
    index('real_orders_to_guard').on(t.nextGuardMs).where(sql`${t.nextGuardMs} is not null`),
    index('real_orders_guards').on(t.guardsId).where(sql`${t.guardsId} is not null`),
  ],
)
export type RealOrderRow = typeof realOrders.$inferSelect

/** Append-only: the exchange's own trades of real orders. */
export const realFills = tradingSchema.table(
  'real_fills',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => realOrders.id),
    tradeId: text('trade_id').notNull(),
    price: doublePrecision('price').notNull(),
    /** Base. */
    quantity: units('quantity').notNull(),
    fees: jsonb('fees').$type<{ asset: string; amount: number }[]>().notNull(),
    venueMs: ms('venue_ms'),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'real_fills_key', columns: [t.orderId, t.tradeId] })],
)

/** Append-only: what was asked of the exchange, and what it said. */
export const realOrderEvents = tradingSchema.table(
  'real_order_events',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    orderId: uuid('order_id')
      .notNull()
      .references(() => realOrders.id),
    what: text('what', { enum: ['intent', 'reply', 'look', 'cancel', 'failure'] }).notNull(),
    said: jsonb('said').notNull(),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [index('real_order_events_by_order').on(t.orderId)],
)
