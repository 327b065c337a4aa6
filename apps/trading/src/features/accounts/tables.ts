import type { AutoTrade } from '@shapecast/contracts/accounts'
import type { Prediction } from '@shapecast/contracts/predictions'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../trading-schema.ts'
import { decimalOf, type Units, unitsOfDecimal } from './money.ts'

const units = customType<{ data: Units; driverData: string }>({
  dataType: () => 'numeric(38, 8)',
  toDriver: decimalOf,
  fromDriver: unitsOfDecimal,
})
const ms = (name: string) => bigint(name, { mode: 'number' })

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

/** Encrypted API keys of people at the venue, one a network. */
export const exchangeKeys = tradingSchema.table(
  'exchange_keys',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    network: text('network', { enum: ['testnet', 'mainnet'] }).notNull(),
    sealed: text('sealed').notNull(),
    lastFour: text('last_four').notNull(),
    /** Tells one key from another without saying which it is: the same key, the same mark. */
    mark: text('mark').notNull(),
    savedAtMs: ms('saved_at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'exchange_keys_key', columns: [t.userId, t.venue, t.network] })],
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
    /** Of the key that it was sent with: only with it "no such order" is an answer. */
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

/** Append-only: every decision to trade by a model, whatever came of it. */
export const autoTradeDecisions = tradingSchema.table(
  'auto_trade_decisions',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    /** Open time of the candle at whose close the prediction was made, ms. */
    candleTs: ms('candle_ts').notNull(),
    prediction: jsonb('prediction').$type<Prediction>().notNull(),
    /** Base, as asked for. */
    amount: doublePrecision('amount').notNull(),
    enableStopLoss: boolean('enable_stop_loss').notNull(),
    /** `refused`: the account or the market did not allow what the prediction asked for. */
    action: text('action', { enum: ['bought', 'sold', 'none', 'refused'] }).notNull(),
    /** In words. */
    reason: text('reason').notNull(),
    orderId: uuid('order_id').references(() => accountOrders.id),
    stopOrderId: uuid('stop_order_id').references(() => accountOrders.id),
    isVirtual: boolean('is_virtual').notNull().default(true),
    realOrderId: uuid('real_order_id').references(() => realOrders.id),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [index('auto_trade_decisions_by_candle').on(t.accountId, t.symbol, t.timeframe, t.candleTs)],
)
export type AutoTradeAction = AutoTrade['action'] | 'refused'

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
