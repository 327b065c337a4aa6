import type { Trade } from '@shapecast/contracts/backtest-results'
import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import type { BotParameters, ConsensusConfig, Strategy } from '@shapecast/contracts/bots'
import type { BotPrediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { RestingOrder } from '@shapecast/engine/models/resting-order'
import type { Portfolio } from '@shapecast/engine/portfolio'
import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { tradingSchema } from '../ground/trading-schema.ts'
import { timeframeOf } from './timeframe-of.ts'

export const bots = tradingSchema.table(
  'bots',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    strategy: text('strategy').$type<Strategy>().notNull(),
    status: text('status', { enum: ['stopped', 'active', 'paused', 'error'] }).notNull(),
    statusReason: text('status_reason'),
    visibility: text('visibility', { enum: ['public', 'private'] }).notNull(),
    isVirtual: boolean('is_virtual').notNull(),
    tradingPairs: text('trading_pairs').array().notNull(),
    /** Base asset. */
    positionSize: doublePrecision('position_size').notNull(),
    /** Percent of the peak of the equity. */
    maxDrawdown: doublePrecision('max_drawdown').notNull(),
    riskLevel: text('risk_level', { enum: ['low', 'medium', 'high'] }).notNull(),
    marketType: text('market_type', { enum: ['spot', 'futures'] }).notNull(),
    leverage: integer('leverage').notNull(),
    /** Percent of the entry price; 0 is off. */
    takeProfitPct: doublePrecision('take_profit_pct').notNull(),
    stopLossPct: doublePrecision('stop_loss_pct').notNull(),
    /** Quote. */
    initialBalance: doublePrecision('initial_balance').notNull(),
    totalTrades: integer('total_trades').notNull().default(0),
    winningTrades: integer('winning_trades').notNull().default(0),
    /** Sum of the net profits of its closed trades, quote. */
    closedPnL: doublePrecision('closed_pnl').notNull().default(0),
    lastTradeAt: bigint('last_trade_at_ms', { mode: 'number' }),
    mlModelVersion: text('ml_model_version'),
    mlModelVersions: text('ml_model_versions').array(),
    consensusConfig: jsonb('consensus_config').$type<ConsensusConfig>(),
    parameters: jsonb('parameters').$type<BotParameters>(),
    temporary: boolean('temporary').notNull(),
    createdAt: bigint('created_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    index('bots_by_user').on(t.userId),
    index('bots_public').on(t.visibility),
    index('bots_temporary').on(t.createdAt).where(sql`${t.temporary}`),
  ],
)
export type BotRow = typeof bots.$inferSelect
/** Candles at whose close a bot decides. */
export const TIMEFRAME = sql<Timeframe>`coalesce(${bots.parameters}->>'timeframe', ${timeframeOf(null)})`

const ofBot = () =>
  uuid('bot_id')
    .notNull()
    .references(() => bots.id, { onDelete: 'cascade' })

/** What a bot's models said last. */
export const botPredictions = tradingSchema.table('bot_predictions', {
  botId: uuid('bot_id')
    .primaryKey()
    .references(() => bots.id, { onDelete: 'cascade' }),
  prediction: jsonb('prediction').$type<BotPrediction>().notNull(),
  madeAtMs: bigint('made_at_ms', { mode: 'number' }).notNull(),
})

/** What rests of a pair as a post-only order at the exchange, or has ended there and is to be taken at the market. */
export interface RealRest extends RestingOrder {
  /** Base that is filled; `quantity` is what is left. */
  readonly filled: number
  /** Of the order that rests, once it has ended; left out before. */
  readonly orderId?: string | undefined
  /** Whether what is left is being taken. */
  readonly takes: boolean
}

/** What a bot with real money keeps in addition to its portfolio. Plain JSON. */
export interface RealState {
  /** The account at the exchange that it trades on, as its key's mark. */
  readonly keyMark: string
  /** Coins there that neither this bot nor anybody else here knew of when it started, by asset. */
  readonly foreign: Readonly<Record<string, number>>
  /** The day (its beginning, ms UTC) that its daily loss counts from, and the equity then. */
  readonly day: { readonly fromMs: number; readonly equity: number }
  /** When it was held against the exchange last, ms. */
  readonly checkedAtMs: number
  /** After a closing order that was refused none is tried before, ms. */
  readonly retryAtMs: number
  /** Left out on spot. */
  readonly futures?: FuturesState
  /** By symbol; left out where nothing ever has rested. */
  readonly rests?: Readonly<Record<string, RealRest>>
}

/** What a bot with real money on futures keeps in addition. Times are the market's, ms. */
export interface FuturesState {
  /** Until when funding and positions that the exchange closed were asked for. */
  readonly takenMs: number
  /** Until when they have to be, since something was held. */
  readonly owedMs: number
  /** Where the exchange says that it would close a position, by symbol. */
  readonly liquidation: Readonly<Record<string, number>>
  /** Of what was booked beside trades, by symbol, what trades have applied. */
  readonly charged: Readonly<Record<string, { readonly funding: number; readonly fees: number }>>
}

/** How far a bot is: written in the same transaction as what it did. A bot that was never started has none. */
export const botStates = tradingSchema.table('bot_states', {
  botId: uuid('bot_id')
    .primaryKey()
    .references(() => bots.id, { onDelete: 'cascade' }),
  /** Candles at whose close it decides; of its last start. */
  timeframe: text('timeframe').$type<Timeframe>().notNull(),
  /** Open time of the last candle that was decided; before the first, of the last one that had closed at the start. */
  decidedTs: bigint('decided_ts', { mode: 'number' }).notNull(),
  /** The newest candle that was not there well after its close, so that the bot waited; null where it never did. */
  waitedTs: bigint('waited_ts', { mode: 'number' }),
  /** Raised by everything that is written down of the bot. */
  revision: integer('revision').notNull().default(0),
  /** What it holds is being sold. */
  closing: boolean('closing').notNull().default(false),
  /** As text: jsonb would write its largest numbers out. */
  portfolio: json('portfolio').$type<Portfolio>().notNull(),
  /** Percent of the peak. */
  worstDrawdownPct: doublePrecision('worst_drawdown_pct').notNull(),
  /** Null of a virtual bot. */
  real: jsonb('real').$type<RealState>(),
  /** What its owner was told once it was told from luck; null before that. */
  reportedVerdict: text('told_verdict', { enum: ['better', 'worse'] }),
  /** The last hour or day of the market in which it was held against holding; null before the first. */
  judgedIn: bigint('judged_in', { mode: 'number' }),
})

/** The trained model that a bot trades on, for each of its pairs and each version that it asks for; kept until it takes another. */
export const botModels = tradingSchema.table(
  'bot_models',
  {
    botId: ofBot(),
    symbol: text('symbol').notNull(),
    /** The version that it asks for; empty for the current one. */
    asked: text('asked').notNull(),
    timeframe: text('timeframe').$type<Timeframe>().notNull(),
    /** Null where there was none, which its owner has been told. */
    artifactId: uuid('artifact_id'),
    /** Version and hash of the artifact; empty without one. */
    version: text('version').notNull(),
    hash: text('hash').notNull(),
    /** It takes the newest one at its next decision without a position. */
    takesNext: boolean('takes_next').notNull().default(false),
    pinnedAtMs: bigint('pinned_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'bot_models_key', columns: [t.botId, t.symbol, t.asked] }),
    index('bot_models_by_artifact').on(t.artifactId),
  ],
)

/** What was decided at each candle and why; one a bot, pair and candle. */
export const botDecisions = tradingSchema.table(
  'bot_decisions',
  {
    id: idColumn(),
    botId: ofBot(),
    symbol: text('symbol').notNull(),
    candleTs: bigint('candle_ts', { mode: 'number' }).notNull(),
    votes: jsonb('votes').$type<BotDecision['votes']>().notNull(),
    rule: text('rule').$type<BotDecision['rule']>().notNull(),
    signal: text('signal').$type<BotDecision['signal']>().notNull(),
    action: text('action').$type<BotDecision['action']>().notNull(),
    reason: text('reason').notNull(),
    target: doublePrecision('target'),
    /** Open, high, low and close of the candle as it was then; null of decisions from before that was kept. */
    candle: doublePrecision('candle').array(),
    /** The first candle that was waited for before this one was decided; null where none came late. */
    lateFromTs: bigint('late_from_ts', { mode: 'number' }),
    orderId: uuid('order_id'),
    decidedAt: bigint('decided_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [unique('bot_decisions_once').on(t.botId, t.candleTs, t.symbol)],
)
export type DecisionRow = typeof botDecisions.$inferSelect

/** Closed trades. Times are open times of candles, ms; amounts in quote. */
export const botTrades = tradingSchema.table(
  'bot_trades',
  {
    id: idColumn(),
    botId: ofBot(),
    symbol: text('symbol').notNull(),
    side: text('side', { enum: ['long', 'short'] }).notNull(),
    entryTime: bigint('entry_time_ms', { mode: 'number' }).notNull(),
    exitTime: bigint('exit_time_ms', { mode: 'number' }).notNull(),
    entryPrice: doublePrecision('entry_price').notNull(),
    exitPrice: doublePrecision('exit_price').notNull(),
    quantity: doublePrecision('quantity').notNull(),
    netPnL: doublePrecision('net_pnl').notNull(),
    fees: doublePrecision('fees').notNull(),
    funding: doublePrecision('funding').notNull(),
    exitReason: text('exit_reason').$type<Trade['exitReason']>().notNull(),
  },
  (t) => [index('bot_trades_newest').on(t.botId, t.exitTime)],
)

/** What people had bots do to bring a pair to its target: an order, or why there was none. Times are the market's, ms. */
export const botHandOrders = tradingSchema.table(
  'bot_hand_orders',
  {
    id: idColumn(),
    botId: ofBot(),
    symbol: text('symbol').notNull(),
    askedMs: bigint('asked_ms', { mode: 'number' }).notNull(),
    /** Open time of the candle within which it was made; once it is filled, of the one in which it was. */
    candleTs: bigint('candle_ts', { mode: 'number' }).notNull(),
    /** Null where none was made, which `reason` says. */
    orderId: uuid('order_id'),
    /** Base, below 0 sold: what was wanted; once it is filled, what was filled. */
    quantity: doublePrecision('quantity').notNull(),
    /** Quote per base: at which it was wanted, and at which it was filled, on average. */
    price: doublePrecision('price').notNull(),
    filledPrice: doublePrecision('filled_price'),
    reason: text('reason'),
  },
  (t) => [index('bot_hand_orders_by_bot').on(t.botId, t.id), index('bot_hand_orders_by_order').on(t.orderId)],
)
export type HandOrder = Omit<typeof botHandOrders.$inferSelect, 'id' | 'botId'>
/** What an order was filled at. */
export type FilledOrder = Pick<HandOrder, 'quantity' | 'candleTs'> & { orderId: string; filledPrice: number }

/** Equity at the close of a candle, open positions marked there, quote. */
export const botEquity = tradingSchema.table(
  'bot_equity',
  {
    botId: ofBot(),
    /** Close time of the candle, ms. */
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
    equity: doublePrecision('equity').notNull(),
    /** What was held then as a share of it, below 0 short; null of closes from before that was kept. */
    heldShare: doublePrecision('held_share'),
  },
  (t) => [primaryKey({ name: 'bot_equity_key', columns: [t.botId, t.atMs] })],
)

/** What is watched for between closes: a range of prices; outside it something happens to a pair of a bot. */
export const botWatches = tradingSchema.table(
  'bot_watches',
  {
    botId: ofBot(),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').$type<Timeframe>().notNull(),
    lower: doublePrecision('lower').notNull(),
    upper: doublePrecision('upper').notNull(),
    /** Something is to be done at the next price, whatever it is. */
    due: boolean('due').notNull(),
  },
  (t) => [
    primaryKey({ name: 'bot_watches_key', columns: [t.botId, t.symbol] }),
    index('bot_watches_by_series').on(t.venue, t.symbol, t.timeframe),
  ],
)

/** Whether a bot trades on an artifact `a`, whatever its state. */
export const isPinned = sql`exists (select from ${botModels} b where b.artifact_id = a.id)`
