import { sql } from 'drizzle-orm'
import { doublePrecision, index, jsonb, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../trading-schema.ts'
import { ms, units } from './columns.ts'

/** One virtual account a user and venue. Whoever changes anything of it takes this row's lock first. */
export const accounts = tradingSchema.table(
  'accounts',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    createdAtMs: ms('created_at_ms').notNull(),
  },
  (t) => [unique('accounts_of_users').on(t.userId, t.venue)],
)

export const accountOrders = tradingSchema.table(
  'account_orders',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The same for every try of the same order. */
    clientOrderId: text('client_order_id').notNull(),
    symbol: text('symbol').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    type: text('type', { enum: ['market', 'limit', 'stop'] }).notNull(),
    status: text('status', { enum: ['open', 'filled', 'cancelled'] }).notNull(),
    statusReason: text('status_reason'),
    /** Base. */
    quantity: units('quantity').notNull(),
    /** Limit or stop price, quote per base; null for a market order. */
    price: doublePrecision('price'),
    /** Quote that an open buy order sets aside. */
    reserved: units('reserved').notNull(),
    source: text('source', { enum: ['user', 'auto_trade'] }).notNull(),
    /** The market's clock when it was placed: candles that opened earlier do not fill it. */
    placedMarketMs: ms('placed_market_ms').notNull(),
    createdAtMs: ms('created_at_ms').notNull(),
    closedAtMs: ms('closed_at_ms'),
  },
  (t) => [
    unique('account_orders_once').on(t.accountId, t.clientOrderId),
    index('account_orders_open').on(t.symbol).where(sql`${t.status} = 'open'`),
    index('account_orders_newest').on(t.accountId, t.id),
  ],
)
export type OrderRow = typeof accountOrders.$inferSelect

/** Append-only. A virtual order fills as a whole, so that there is one fill an order at most. */
export const accountFills = tradingSchema.table(
  'account_fills',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    orderId: uuid('order_id')
      .notNull()
      .unique()
      .references(() => accountOrders.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    price: doublePrecision('price').notNull(),
    /** Before slippage. */
    rawPrice: doublePrecision('raw_price').notNull(),
    quantity: units('quantity').notNull(),
    notional: units('notional').notNull(),
    fee: units('fee').notNull(),
    /** Of a sale: notional less what the coins had cost. */
    pnl: units('pnl'),
    marketMs: ms('market_ms').notNull(),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [index('account_fills_by_account').on(t.accountId)],
)
export type FillRow = typeof accountFills.$inferSelect

/** Append-only; the balance is the sum. Every entry but the deposit belongs to a fill. */
export const ledgerEntries = tradingSchema.table(
  'ledger_entries',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    kind: text('kind', { enum: ['deposit', 'trade', 'fee'] }).notNull(),
    /** Quote; positive raises the balance. */
    amount: units('amount').notNull(),
    fillId: uuid('fill_id').references(() => accountFills.id),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [
    index('ledger_entries_by_account').on(t.accountId),
    unique('ledger_entries_once').on(t.fillId, t.kind),
    uniqueIndex('ledger_entries_one_deposit').on(t.accountId).where(sql`${t.kind} = 'deposit'`),
  ],
)

export const accountPositions = tradingSchema.table(
  'account_positions',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    symbol: text('symbol').notNull(),
    /** Base; 0 where all of it is sold. */
    quantity: units('quantity').notNull(),
    /** Quote paid for it, without fees. */
    cost: units('cost').notNull(),
    openedAtMs: ms('opened_at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'account_positions_key', columns: [t.accountId, t.symbol] })],
)

/** What was answered to a request with an Idempotency-Key: the same key gets the same answer. */
export const keyedReplies = tradingSchema.table(
  'keyed_replies',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    key: text('key').notNull(),
    /** Of what was asked: the key is not good for anything else. */
    requestHash: text('request_hash').notNull(),
    reply: jsonb('reply').notNull(),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'keyed_replies_key', columns: [t.accountId, t.key] })],
)

/** How far the candles of a symbol have been held against the open orders. */
export const watchedSymbols = tradingSchema.table(
  'watched_symbols',
  {
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    /** Close time of the last candle that was looked at, ms. */
    checkedUntilMs: ms('checked_until_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'watched_symbols_key', columns: [t.venue, t.symbol] })],
)
