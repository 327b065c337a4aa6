import { ACCOUNT_CURRENCY, type AutoTrade } from '@shapecast/contracts/accounts'
import type { ExitReason } from '@shapecast/contracts/backtest-results'
import type { Prediction } from '@shapecast/contracts/predictions'
import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
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
import type { z } from 'zod'
import { tradingSchema } from '../ground/trading-schema.ts'
import { ms, units } from './columns.ts'

/** Money and coins of one user or bot, on one venue. Whatever changes anything of it takes this row's lock first. */
export const accounts = tradingSchema.table(
  'accounts',
  {
    id: idColumn(),
    ownerKind: text('owner_kind', { enum: ['user', 'bot'] }).notNull(),
    ownerId: uuid('owner_id').notNull(),
    venue: text('venue').notNull(),
    /** `virtual`: we fill its orders. `real`: they go to an exchange. */
    kind: text('kind', { enum: ['virtual', 'real'] }).notNull(),
    /** Of a real account: the side of the exchange that its orders go to. */
    market: text('market', { enum: ['spot', 'futures'] })
      .notNull()
      .default('spot'),
    /** Of a real account; null of a virtual one. */
    network: text('network', { enum: ['testnet', 'mainnet'] }),
    /** Of a bot's real account: the person whose API key its orders are sent with. */
    keyUserId: uuid('key_user_id'),
    /**
     * Kept by the database with each entry and fill (quote): its money, which is the sum of its entries in that currency, and
     * since the last reset what fees came to, those in coins at their worth.
     */
    balance: units('balance').notNull().default(sql`0`),
    fees: units('fees').notNull().default(sql`0`),
    createdAtMs: ms('created_at_ms').notNull(),
  },
  (t) => [unique('accounts_of_owners').on(t.ownerKind, t.ownerId, t.venue, t.kind, t.network).nullsNotDistinct()],
)
export type AccountRow = typeof accounts.$inferSelect

const ofAccount = () =>
  uuid('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' })

/** Every order, of all kinds of accounts. */
export const orders = tradingSchema.table(
  'orders',
  {
    id: idColumn(),
    /** In the order of their making, by one clock for all processes. */
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity(),
    accountId: ofAccount(),
    /** Ours: the same for every try of the same order. */
    clientOrderId: text('client_order_id').notNull().unique(),
    symbol: text('symbol').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    type: text('type', { enum: ['market', 'limit', 'stop', 'take_profit'] }).notNull(),
    status: text('status', {
      enum: ['sending', 'open', 'filled', 'cancelled', 'rejected', 'expired', 'not_placed'],
    }).notNull(),
    /** In words. */
    statusReason: text('status_reason'),
    /** Base. */
    quantity: units('quantity').notNull(),
    filled: units('filled').notNull().default(sql`0`),
    /** Limit, stop or target price, quote per base; null for a market order. */
    price: doublePrecision('price'),
    average: doublePrecision('average'),
    source: text('source', { enum: ['user', 'auto_trade', 'bot'] }).notNull(),
    createdAtMs: ms('created_at_ms').notNull(),
    closedAtMs: ms('closed_at_ms'),
    /** Futures: it only ever makes a position smaller. */
    reduceOnly: boolean('reduce_only').notNull().default(false),
    /** Of a stop or target: the entry that it guards. */
    guardsId: uuid('guards_id').references((): AnyPgColumn => orders.id, { onDelete: 'cascade' }),

    /** Virtual. Quote that an open buy order sets aside. */
    reserved: units('reserved').notNull().default(sql`0`),
    /** The market's clock when it was placed: candles that opened earlier do not fill it. */
    placedMarketMs: ms('placed_market_ms'),

    /** Real. The account at the exchange that it was sent to: only there "no such order" is an answer. */
    keyMark: text('key_mark'),
    /** The exchange's id; null until it has said it. */
    venueOrderId: text('venue_order_id'),
    /** Quote that it counts for against the limits of its day, were all of it filled. */
    counted: units('counted').notNull().default(sql`0`),
    /** Of a sale by a person: base that can be of what was bought here, as it stood when the order was made; else null. */
    ours: units('ours'),
    /** Of an order of a person: base that it has brought, or taken of what was bought here. */
    moved: units('moved').notNull().default(sql`0`),
    /** How often in a row it was looked up without news, and when next, or null if there is nothing left to learn. */
    looks: integer('looks').notNull().default(0),
    nextLookMs: ms('next_look_ms'),
    /** Of a post-only order: until when it rests, ms; then it is cancelled. Null of any other. */
    restsUntilMs: ms('rests_until_ms'),
    /** Of one that took at the market what a post-only order had left: that one. */
    restOfId: uuid('rest_of_id').references((): AnyPgColumn => orders.id, { onDelete: 'cascade' }),
    /** Of an entry: the price of the stop-loss that has to stand at the exchange over what it bought, or sold short. */
    guardPrice: doublePrecision('guard_price'),
    /** Of an entry of a bot: how far from its average price that is, percent. */
    guardPct: doublePrecision('guard_pct'),
    /** Of an entry of a bot: how far from its average price the take profit has to stand at the exchange, percent. */
    targetPct: doublePrecision('target_pct'),
    /** Of a bot: why it sells, and whether what became of the order is still to be taken into the bot's trades. */
    exitReason: text('exit_reason').$type<z.infer<typeof ExitReason>>(),
    toSettle: boolean('to_settle').notNull().default(false),
    /** How often a stop or target was placed for it, and when that is looked after next; null where nothing is left to guard. */
    guardTries: integer('guard_tries').notNull().default(0),
    nextGuardMs: ms('next_guard_ms'),
  },
  (t) => [
    index('orders_newest').on(t.accountId, t.seq),
    index('orders_unsettled').on(t.accountId, t.symbol).where(sql`${t.status} in ('sending', 'open')`),
    index('orders_waiting').on(t.symbol).where(sql`${t.status} = 'open'`),
    index('orders_to_look_up').on(t.nextLookMs).where(sql`${t.nextLookMs} is not null`),
    index('orders_to_guard').on(t.nextGuardMs).where(sql`${t.nextGuardMs} is not null`),
    index('orders_to_settle').on(t.accountId).where(sql`${t.toSettle}`),
    index('orders_of_rests').on(t.restOfId).where(sql`${t.restOfId} is not null`),
    index('orders_that_guard').on(t.guardsId).where(sql`${t.guardsId} is not null`),
  ],
)
export type OrderRow = typeof orders.$inferSelect

const ofOrder = () =>
  uuid('order_id')
    .notNull()
    .references(() => orders.id, { onDelete: 'cascade' })

/** Append-only: the trades that filled orders. */
export const fills = tradingSchema.table(
  'fills',
  {
    id: idColumn(),
    orderId: ofOrder(),
    accountId: ofAccount(),
    /** The exchange's id of the trade; of a virtual order, which fills as a whole, `1`. */
    tradeId: text('trade_id').notNull(),
    price: doublePrecision('price').notNull(),
    /** Virtual: before slippage. */
    rawPrice: doublePrecision('raw_price'),
    /** Base. */
    quantity: units('quantity').notNull(),
    notional: units('notional').notNull(),
    /** Quote. */
    fee: units('fee').notNull(),
    /** Real: all that the exchange took, by asset. */
    fees: jsonb('fees').$type<{ asset: string; amount: number }[]>(),
    /** Virtual: what closing a position earned, before its fee; null of what opens one. */
    pnl: units('pnl'),
    /** Of a bot: why it closed a position. */
    exitReason: text('exit_reason').$type<z.infer<typeof ExitReason>>(),
    /** The market's clock; null where the exchange did not tell. */
    marketMs: ms('market_ms'),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [unique('fills_once').on(t.orderId, t.tradeId), index('fills_by_account').on(t.accountId, t.id)],
)
export type FillRow = typeof fills.$inferSelect

/** Append-only: what was asked of the exchange about a real order, and what it said. */
export const orderEvents = tradingSchema.table(
  'order_events',
  {
    id: idColumn(),
    orderId: ofOrder(),
    what: text('what', { enum: ['intent', 'reply', 'look', 'cancel', 'failure'] }).notNull(),
    said: jsonb('said').notNull(),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [index('order_events_by_order').on(t.orderId)],
)

/**
 * Append-only: what came to an account or left it, of which asset; the balance is the sum of its own currency. What fills
 * moved belongs to them: on spot a `purchase` or `sale`, on futures the `settlement` of what they closed, and each `fee`.
 * `liquidation` is what is taken of the margin beyond that. Profit is not booked: `atCost` of entries.ts derives it.
 */
export const ledgerEntries = tradingSchema.table(
  'ledger_entries',
  {
    id: idColumn(),
    accountId: ofAccount(),
    kind: text('kind', {
      enum: ['deposit', 'purchase', 'sale', 'settlement', 'fee', 'funding', 'liquidation', 'reset'],
    }).notNull(),
    asset: text('asset').notNull().default(ACCOUNT_CURRENCY),
    /** Of the asset; positive came to the account. */
    amount: units('amount').notNull(),
    fillId: uuid('fill_id').references(() => fills.id, { onDelete: 'cascade' }),
    /** Real, of what no trade made: the market that it is of, and the exchange's id of the payment. */
    symbol: text('symbol'),
    venueId: text('venue_id'),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [
    index('ledger_entries_by_account').on(t.accountId, t.id),
    uniqueIndex('ledger_entries_of_venue').on(t.accountId, t.venueId).where(sql`${t.venueId} is not null`),
    unique('ledger_entries_once').on(t.fillId, t.kind, t.asset),
    uniqueIndex('ledger_entries_one_deposit').on(t.accountId).where(sql`${t.kind} = 'deposit'`),
  ],
)

/** What accounts hold. */
export const positions = tradingSchema.table(
  'positions',
  {
    accountId: ofAccount(),
    symbol: text('symbol').notNull(),
    /** Of a person's real account: the account at the exchange where it is; else empty. */
    keyMark: text('key_mark').notNull().default(''),
    /** Base; negative of a short; 0 where all of it is closed. Of a real account what was bought here and not sold. */
    quantity: units('quantity').notNull(),
    /** Quote that it was worth when it was opened, without fees; on spot its entries have paid it. */
    cost: units('cost').notNull(),
    openedAtMs: ms('opened_at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'positions_key', columns: [t.accountId, t.symbol, t.keyMark] })],
)

/**
 * What accounts were worth at each full hour of the market's clock. Rows outlive their account: whose it was stands in
 * each. Quote; equity = deposits + closed + open.
 */
export const accountEquity = tradingSchema.table(
  'account_equity',
  {
    accountId: uuid('account_id').notNull(),
    atMs: ms('at_ms').notNull(),
    venue: text('venue').notNull(),
    userId: uuid('user_id').notNull(),
    /** Null of a person's own account. */
    botId: uuid('bot_id'),
    isVirtual: boolean('is_virtual').notNull().default(true),
    equity: doublePrecision('equity').notNull(),
    /** What closed trades made, and what is left: open positions, their entry fees and funding. */
    closedPnL: doublePrecision('closed_pnl').notNull(),
    openPnL: doublePrecision('open_pnl').notNull(),
    /** Money that was put in, or given at a reset. */
    deposits: doublePrecision('deposits').notNull(),
  },
  (t) => [
    primaryKey({ name: 'account_equity_key', columns: [t.accountId, t.atMs] }),
    index('account_equity_of_users').on(t.userId, t.atMs),
    index('account_equity_by_time').on(t.venue, t.atMs),
  ],
)
export type EquityRow = typeof accountEquity.$inferSelect

/** Append-only: every decision to trade by a model, executed or not. */
export const autoTradeDecisions = tradingSchema.table(
  'auto_trade_decisions',
  {
    id: idColumn(),
    accountId: ofAccount(),
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
    orderId: uuid('order_id').references(() => orders.id),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [index('auto_trade_decisions_by_candle').on(t.accountId, t.symbol, t.timeframe, t.candleTs)],
)
export type AutoTradeAction = AutoTrade['action'] | 'refused'

/** What was answered to a request with an Idempotency-Key: the same key gets the same answer. */
export const keyedReplies = tradingSchema.table(
  'keyed_replies',
  {
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    key: text('key').notNull(),
    /** Of what was asked: the key is not good for anything else. */
    requestHash: text('request_hash').notNull(),
    reply: jsonb('reply').notNull(),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [primaryKey({ name: 'keyed_replies_key', columns: [t.userId, t.venue, t.key] })],
)

/** How far the candles of a symbol have been held against the open virtual orders. */
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
