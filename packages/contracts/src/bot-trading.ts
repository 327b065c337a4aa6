import { z } from 'zod'
import { Order } from './accounts.ts'
import { Trade } from './backtest-results.ts'
import { BotPosition } from './bots.ts'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { SymbolId, VenueName } from './market.ts'
import { epochMs, pct, quote } from './units.ts'

/** Newest first; `before` pages back. Times are the market's, ms. */
export const NewestFirst = z.object({
  since: z.coerce.number().int().nonnegative().optional(),
  before: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})

export const OpenBotPosition = BotPosition.extend({
  /** `mark`: the exchange's mark price, by which it liquidates; `last`: that of the last trade. */
  markedBy: z.enum(['mark', 'last']),
  /** Quote; 0 on spot. */
  margin: z.number(),
  liquidationPrice: z.number().nullable(),
  /** What it has cost since its entry, quote: fees, and funding, which is negative where it was paid; null where unknown. */
  fees: quote().nullable(),
  funding: quote().nullable(),
})
export type OpenBotPosition = z.infer<typeof OpenBotPosition>

export const BotBalance = z.object({
  botId: z.uuid(),
  venue: VenueName,
  isVirtual: z.boolean(),
  currency: z.string(),
  initialBalance: quote(),
  /** Money with open positions at what they cost, quote. */
  balance: quote(),
  /** Balance with open positions at the prices that they are valued at: the bot's `currentBalance`. */
  equity: quote(),
  /** As the bot's: initial balance + closed + open = equity. */
  closedPnL: quote(),
  openPnL: quote(),
  /** What that balance has gained: an entry fee counts at once, and not with the sale. */
  realizedPnL: quote(),
  /** Of the prices of open positions alone. */
  unrealizedPnL: quote(),
  fees: quote(),
  /** Percent below the peak of the equity, now and at worst. */
  drawdownPct: pct(),
  worstDrawdownPct: pct(),
  /** 95 % interval of the share of trades that won, 0 to 1; null before the first. */
  winInterval: z.tuple([z.number(), z.number()]).nullable(),
  positions: z.array(OpenBotPosition),
})
export type BotBalance = z.infer<typeof BotBalance>

export const botBalance = tradingEndpoint('GET /api/bots/:id/balance', {
  publicPath: '/public/bots/:id/balance',
  summary: "A bot's account: balance, equity, profit and open positions.",
  reply: BotBalance,
})

export const BotTrade = Trade.extend({ id: z.uuid(), symbol: SymbolId })
export type BotTrade = z.infer<typeof BotTrade>

export const botTrades = tradingEndpoint('GET /api/bots/:id/trades', {
  publicPath: '/public/bots/:id/trades',
  summary: 'Closed trades of a bot, the newest first; of one side alone where `side` names it.',
  query: NewestFirst.extend({ side: z.enum(['long', 'short']).optional() }),
  reply: z.array(BotTrade),
})

export const exportTrades = tradingEndpoint('GET /api/bots/:id/trades/export', {
  publicPath: '/public/bots/:id/trades/export',
  summary:
    'Closed trades of a bot as CSV, the newest first: all of them, or those that closed in a calendar year, UTC.',
  query: z.object({ year: z.coerce.number().int().min(2000).max(2999).optional() }),
  ...fileOf('text/csv'),
})

export const botOrders = tradingEndpoint('GET /api/bots/:id/orders', {
  summary: 'Orders of a bot, the newest first: at the exchange where it trades real money. Its owner or an admin.',
  query: NewestFirst.pick({ limit: true }),
  reply: z.array(Order),
})

export const BotEquity = z.object({
  initialBalance: quote(),
  /** One point a candle, thinned to at most `limit`; the lowest and highest of a stretch are kept. */
  points: z.array(z.object({ t: epochMs(), equity: quote() })),
  /** The same money held in the bot's pairs in equal shares since its first candle. */
  hold: z.array(z.object({ t: epochMs(), equity: quote() })),
})
export type BotEquity = z.infer<typeof BotEquity>

export const botEquity = tradingEndpoint('GET /api/bots/:id/equity', {
  publicPath: '/public/bots/:id/equity',
  summary: "A bot's equity at each candle close beside buy and hold.",
  query: NewestFirst.omit({ before: true }).extend({ limit: z.coerce.number().int().min(2).max(2000).default(500) }),
  reply: BotEquity,
})

export const ParityCause = z.enum([
  'price_between_candles',
  'fee',
  /** A funding rate came after it was charged. */
  'funding',
  'missed_candle',
  /** After a missed candle there was other money, and so another size. */
  'follows_from_missed',
  /** The exchange has revised a candle since. */
  'candle_changed',
  /** A candle was not there when it closed. */
  'candle_late',
  'model_changed',
  'settings_changed',
  /** A person closed a position, and what followed from that. */
  'closed_by_hand',
  /** A person rebalanced it, and what followed from that. */
  'rebalanced_by_hand',
  /** Of a bot with real money: a limit or the exchange kept its order from being made. */
  'order_refused',
])
export const BotParity = z.object({
  from: epochMs(),
  to: epochMs(),
  candles: z.number().int(),
  liveTrades: z.number().int(),
  backtestTrades: z.number().int(),
  livePnL: quote(),
  backtestPnL: quote(),
  /** What each cause made of the difference, live less backtest, quote. */
  costs: z.array(z.object({ cause: ParityCause, trades: z.number().int(), pnl: z.number() })),
  differences: z.array(
    z.object({
      candleTs: epochMs(),
      symbol: SymbolId,
      cause: ParityCause,
      live: BotTrade.omit({ id: true }).nullable(),
      backtest: BotTrade.omit({ id: true }).nullable(),
      note: z.string(),
    }),
  ),
})
export type BotParity = z.infer<typeof BotParity>

export const botParity = tradingEndpoint('GET /api/bots/:id/parity', {
  summary: "A bot's live trades against a backtest of the same rules over the same candles.",
  reply: BotParity,
  errors: ['not_found', 'no_candles', 'too_few_candles', 'model_not_trained', 'unprocessable'],
})

export const SubAccount = z.object({
  id: z.uuid(),
  botId: z.uuid(),
  botName: z.string(),
  venue: VenueName,
  isVirtual: z.boolean(),
  currency: z.string(),
  /** Money with open positions at what they cost. */
  balance: quote(),
  /** With open positions at the newest price: the bot's `currentBalance`. */
  equity: quote(),
  createdAt: epochMs(),
})
export type SubAccount = z.infer<typeof SubAccount>

export const subAccounts = tradingEndpoint('GET /api/subaccounts', {
  summary: "The accounts of the caller's bots.",
  reply: z.array(SubAccount),
})
