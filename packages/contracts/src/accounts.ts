import { z } from 'zod'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { MarketKind, SymbolId, VenueName } from './market.ts'
import { Prediction } from './predictions.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs, quote } from './units.ts'

/** What every virtual account starts with, in its currency. */
export const STARTING_BALANCE = 10_000
export const ACCOUNT_CURRENCY = 'USDT'
/** Orders that may wait for their price at a time, of one account. */
export const MOST_OPEN_ORDERS = 200

/** The exchange's sandbox, or its real money. */
export const Network = z.enum(['testnet', 'mainnet'])
export type Network = z.infer<typeof Network>

/** Where the prices of a reply come from, to tell simulated ones from real ones. */
const Origin = z.object({
  /** True where no order is sent to an exchange. */
  isVirtual: z.boolean(),
  venue: VenueName,
  market: MarketKind,
  /** Where real orders go; left out of what is virtual. */
  network: Network.optional(),
})

export const Balance = Origin.extend({
  currency: z.string(),
  /** Null of a real account, as all that only our own ledger could tell. */
  startingBalance: quote().nullable(),
  /** Money: the sum of the ledger; of a real account what the exchange says. */
  balance: quote(),
  /** Of it, what open buy orders set aside, and what is left. */
  reserved: z.number(),
  available: z.number(),
  /** Sum over all sales, before fees. */
  realisedPnl: quote().nullable(),
  fees: quote().nullable(),
  /** Balance and positions at their last prices; null where one of these prices is not known now. */
  equity: quote().nullable(),
  /** Of a real account: all that the exchange says is there. */
  assets: z.array(z.object({ asset: z.string(), free: z.number(), used: z.number(), total: z.number() })).optional(),
})
export type Balance = z.infer<typeof Balance>

export const Position = Origin.extend({
  symbol: SymbolId,
  side: z.literal('long'),
  /** Base. */
  quantity: z.number(),
  /** Average price paid, quote per base, without fees; null of a real account, which tells balances only. */
  entryPrice: z.number().nullable(),
  /** What was paid for it, quote, without fees; null as above. */
  cost: z.number().nullable(),
  /** Null, with what follows from it, where no price is known now. */
  lastPrice: z.number().nullable(),
  lastPriceAt: epochMs().nullable(),
  unrealisedPnl: quote().nullable(),
  /** The highest price at which an open stop-loss sells, all of it or a part; null without one. */
  stopLoss: z.number().nullable(),
  openedAt: epochMs().nullable(),
})
export type Position = z.infer<typeof Position>

const Fees = z.array(z.object({ asset: z.string(), amount: z.number() }))

export const Order = Origin.extend({
  id: z.uuid(),
  clientOrderId: z.string(),
  symbol: SymbolId,
  side: z.enum(['buy', 'sell']),
  /** `stop` and `take_profit`: close at the market once the price has got to `stopPrice`, at a loss or a gain. */
  type: z.enum(['market', 'limit', 'stop', 'take_profit']),
  /**
   * Of real orders also: `sending`: not known yet whether the exchange has it; `rejected` by the exchange;
   * `expired`: given up by the exchange; `not_placed`: it never got there.
   */
  status: z.enum(['open', 'filled', 'cancelled', 'sending', 'rejected', 'expired', 'not_placed']),
  /** In words, if there is more to say. */
  statusReason: z.string().nullable(),
  /** Base, a multiple of the market's lot. */
  amount: z.number(),
  filled: z.number(),
  price: z.number().nullable(),
  stopPrice: z.number().nullable(),
  /** On futures with real money: it can make a position smaller, and never open one or turn it round. */
  reduceOnly: z.boolean(),
  /** Price at which it was filled, slippage included; of a real order the average over its trades; null before. */
  average: z.number().nullable(),
  /** In the account's currency; of a real order the part that was taken in it. */
  fee: z.number(),
  /** Of a real order: what the exchange has taken, by asset. */
  fees: Fees.optional(),
  /** Of a real order: the exchange's own trades that filled it, the oldest first. */
  fills: z
    .array(
      z.object({
        tradeId: z.string(),
        price: z.number(),
        /** Base. */
        amount: z.number(),
        fees: Fees,
        at: epochMs().nullable(),
      }),
    )
    .optional(),
  /** Of a sale: what it brought less what its coins had cost, before fees. */
  pnl: z.number().nullable(),
  source: z.enum(['user', 'auto_trade', 'bot']),
  createdAt: epochMs(),
  /** When it was filled or cancelled. */
  closedAt: epochMs().nullable(),
  /** The market's clock when it was filled: another one than ours where history is replayed. */
  filledAtMarketTime: epochMs().nullable(),
})
export type Order = z.infer<typeof Order>

const Amount = z.number().positive('amount is a positive number of coins').max(1e9)
/** Quote per base. */
const Price = z.number().positive().max(1e11)
const Virtual = z.boolean().default(true)
const IsVirtual = z.enum(['true', 'false'], 'isVirtual is true or false')
/** In a query, `false` asks for an admin's own account at the exchange. */
const VirtualQuery = z.object({ isVirtual: IsVirtual.default('true').transform((value) => value === 'true') })

/** Refuses other fields: one that is ignored, such as a stop-loss, would put money at risk. */
export const OrderDraft = z
  .strictObject({
    symbol: SymbolId,
    side: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['buy', 'sell'])),
    type: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['market', 'limit'])),
    /** Base; rounded down to the market's lot. */
    amount: Amount.optional(),
    /** Instead of `amount`: quote that it may cost, of a virtual purchase with fee and slippage; of a sale its worth. */
    quoteAmount: z.number().positive().max(1e12).optional(),
    /** Of a limit order, quote per base. */
    price: Price.optional(),
    /** Of a purchase at the market: where what it bought is sold at a loss. */
    stopLoss: Price.optional(),
    /** Likewise at a gain; of virtual ones. */
    takeProfit: Price.optional(),
    botId: z.uuid().optional(),
    isVirtual: Virtual,
  })
  .superRefine((order, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if (order.type === 'limit' && order.price === undefined) refuse('price', 'A limit order needs a price')
    if (order.type === 'market' && order.price !== undefined)
      refuse('price', 'A market order has no price: leave it out')
    if (order.amount === undefined && order.quoteAmount === undefined) refuse('amount', 'Amount is required')
    if (order.amount !== undefined && order.quoteAmount !== undefined)
      refuse('quoteAmount', 'Give amount or quoteAmount, not both')
    for (const guard of ['stopLoss', 'takeProfit'] as const)
      if (order[guard] !== undefined && (order.type !== 'market' || order.side !== 'buy'))
        refuse(guard, 'Only a purchase at the market takes a stop-loss and a take profit')
    if (order.takeProfit !== undefined && !order.isVirtual)
      refuse('takeProfit', 'With real money a take profit is a limit order of its own: leave it out')
  })
export type OrderDraft = z.infer<typeof OrderDraft>

/** Errors of calls that ask the exchange. */
export const REAL_ERRORS = ['unprocessable', 'venue_unreachable', 'venue_rate_limited', 'venue_auth_failed'] as const
/** Of calls that place orders. */
const ORDER_ERRORS = [
  'unknown_symbol',
  'no_candles',
  'insufficient_funds',
  'over_limit',
  'order_rejected',
  'conflict',
  'order_ambiguous',
  ...REAL_ERRORS,
] as const

export const balance = tradingEndpoint('GET /api/balance', {
  summary:
    "The caller's virtual account: money, what is set aside, profit and fees. With isVirtual=false an admin's own account at the exchange.",
  query: VirtualQuery,
  reply: Balance,
  errors: REAL_ERRORS,
})

export const positions = tradingEndpoint('GET /api/positions', {
  summary:
    "What the caller's virtual account holds, at the last prices. With isVirtual=false the coins of an admin's own account at the exchange.",
  query: VirtualQuery,
  errors: REAL_ERRORS,
  reply: z.array(Position),
})

export const exportPositions = tradingEndpoint('GET /api/positions/export', {
  summary:
    "What the caller's virtual account holds as CSV, with its open stops and targets. With isVirtual=false an admin's own account at the exchange.",
  access: 'user',
  query: VirtualQuery,
  errors: REAL_ERRORS,
  ...fileOf('text/csv'),
})

export const orders = tradingEndpoint('GET /api/orders', {
  summary:
    "The caller's orders, the newest first: virtual and real ones unless isVirtual chooses, open and ended ones unless state does.",
  query: z.object({
    symbol: SymbolId.optional(),
    isVirtual: IsVirtual.transform((value) => value === 'true').optional(),
    /** `open` ones wait for their price or are being sent. */
    state: z.enum(['open', 'ended']).optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  reply: z.array(Order),
})

export const exportOrders = tradingEndpoint('GET /api/orders/export', {
  summary:
    "All orders of the caller's virtual account as CSV, the newest first. With isVirtual=false those of an admin's own account at the exchange.",
  query: VirtualQuery,
  ...fileOf('text/csv'),
})

export const placeOrder = tradingEndpoint('POST /api/order', {
  summary:
    'Place a spot order, a virtual one unless an admin asks for isVirtual: false: that goes to the exchange with their own keys. A virtual market order fills at the last price moved against the caller by the slippage; a limit order waits for its price. A purchase at the market takes a stop-loss, a virtual one a take profit too: when one has sold, the other goes. With the header Idempotency-Key the same request again answers with the same order. A real one takes fresh proof of who calls.',
  touches: [balance, positions, orders],
  proof: 'sometimes',
  body: OrderDraft,
  takesKey: true,
  reply: Order,
  errors: ORDER_ERRORS,
})

export const cancelOrder = tradingEndpoint('DELETE /api/orders/:id', {
  summary: 'Cancel an open order. One that is no longer open is a conflict.',
  touches: [balance, positions, orders],
  reply: Order,
  errors: ['not_found', 'conflict', 'order_rejected', 'order_ambiguous', ...REAL_ERRORS],
})

export const cancelOrders = tradingEndpoint('DELETE /api/orders', {
  summary:
    "Cancel all open orders of the caller's virtual account, stops and targets included. With isVirtual=false those of an admin's own account at the exchange. Asked again it cancels what is open by then.",
  touches: [balance, positions, orders],
  query: VirtualQuery,
  reply: z.object({
    cancelled: z.array(z.uuid()),
    /** What is still open, and why: an exchange may refuse one and cancel the others. */
    failed: z.array(z.object({ id: z.uuid(), error: z.string() })),
  }),
  errors: REAL_ERRORS,
})

export const GuardsDraft = z.strictObject({
  symbol: SymbolId,
  /** Where all that is held of it is sold at a loss; null for no stop-loss. */
  stopLoss: Price.nullable(),
  /** Likewise at a gain. */
  takeProfit: Price.nullable(),
})
export type GuardsDraft = z.infer<typeof GuardsDraft>

export const changeGuards = tradingEndpoint('PATCH /api/positions/guards', {
  summary:
    "Put one stop-loss and one take profit over all that the caller's virtual account holds of a coin, in place of those that are open. What is the same already stays. Answers with the guards that are open then.",
  touches: [balance, positions, orders],
  body: GuardsDraft,
  reply: z.array(Order),
  errors: ['unknown_symbol', 'no_candles', 'unprocessable', 'venue_unreachable'],
})

export const AutoTrade = Origin.extend({
  symbol: SymbolId,
  timeframe: Timeframe,
  action: z.enum(['bought', 'sold', 'none']),
  /** What was done and why, in words. */
  decision: z.string(),
  /** What kind of market and money this was, in words. */
  notice: z.string(),
  prediction: Prediction,
  order: Order.nullable(),
  stopOrder: Order.nullable(),
  decidedAt: epochMs(),
})
export type AutoTrade = z.infer<typeof AutoTrade>

export const autoTrade = tradingEndpoint('POST /api/ml/auto-trade', {
  summary:
    "Act on the current model's prediction: BUY buys `amount` at the market, with a stop-loss order unless that is switched off; SELL sells what is held; HOLD does nothing. Once a direction and candle, unless the header Idempotency-Key tells requests apart. With real money it takes fresh proof of who calls.",
  touches: [balance, positions, orders],
  proof: 'sometimes',
  body: z.object({
    symbol: SymbolId,
    /** Base; what a BUY buys. */
    amount: Amount,
    enableStopLoss: z.boolean().default(true),
    timeframe: Timeframe.default('1h'),
    isVirtual: Virtual,
  }),
  takesKey: true,
  reply: AutoTrade,
  errors: ['too_few_candles', 'model_not_trained', ...ORDER_ERRORS],
})
