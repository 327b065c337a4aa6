import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import type { Candles } from '@shapecast/engine/candles'
import { stopTrigger } from '@shapecast/engine/models/fills'
import { createRules } from '@shapecast/engine/rules'
import { numberOf, type Units, unitsOf } from '../../ledger/money.ts'

/** A price before and after slippage, quote per base. */
export interface FillPrice {
  readonly price: number
  readonly rawPrice: number
}

/** An order that waits for its price. */
export interface RestingOrder {
  readonly side: 'buy' | 'sell'
  readonly type: 'limit' | 'stop' | 'take_profit'
  readonly price: number
}

const { feeRate, slippageBps } = BACKTEST_DEFAULTS
export const SLIPPAGE_BPS = slippageBps
/** The rules of a backtest with its defaults, on spot: virtual orders cost what a backtest says that they cost. */
const RULES = createRules(
  backtestSettings({
    market: 'spot',
    timeframe: '1m',
    initialBalance: 1,
    leverage: 1,
    sizing: { kind: 'fixed', quantity: 1 },
    feeRate,
    slippageBps,
  }),
)

/** Notional and fee of an execution in quote, each rounded to a unit. */
export function worthOf(quantity: Units, price: number): { notional: Units; fee: Units } {
  const notional = numberOf(quantity) * price
  return { notional: unitsOf(notional), fee: unitsOf(RULES.fees.fee(notional)) }
}

/** Base that a purchase may be for so that it costs no more than `quote`, with its fee, at the market with slippage. */
export function quantityAfterCosts(quote: number, price: number, type: 'market' | 'limit'): number {
  const filled = type === 'market' ? marketFill('buy', price).price : price
  return quote / (filled + RULES.fees.fee(filled))
}

/** What an order gets that is filled at once: the market's price moved against it. */
export const marketFill = (side: 'buy' | 'sell', rawPrice: number): FillPrice => ({
  rawPrice,
  price: side === 'buy' ? RULES.fills.entry(rawPrice, 1) : RULES.fills.exit(rawPrice, 1),
})

/**
 * What a limit order gets that the market's price has crossed already when it is placed: as a market order, but never
 * worse than its limit; null where it has to wait.
 */
export function crossingFill(side: 'buy' | 'sell', limit: number, rawPrice: number): FillPrice | null {
  if (side === 'buy' ? rawPrice > limit : rawPrice < limit) return null
  const { price } = marketFill(side, rawPrice)
  return { rawPrice, price: side === 'buy' ? Math.min(limit, price) : Math.max(limit, price) }
}

/**
 * What candle `i` makes of an order that waits; null where its price is not reached. A limit order and a take profit
 * fill at their price, never better. A stop fills as the engine's stop-loss does: at its price, or at the open where that lies below, moved
 * against us.
 */
export function restingFill(order: RestingOrder, candles: Candles, i: number): FillPrice | null {
  if (order.type === 'stop')
    return candles.low[i]! > order.price ? null : marketFill('sell', stopTrigger(order.price, 1, candles.open[i]!))
  const reached = order.side === 'buy' ? candles.low[i]! <= order.price : candles.high[i]! >= order.price
  return reached ? { price: order.price, rawPrice: order.price } : null
}
