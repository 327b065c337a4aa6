import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest'
import { createAccount } from '@shapecast/engine/account'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import type { Candles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import type { Fill, Journal } from '@shapecast/engine/journal'
import { NEVER_ABOVE } from '@shapecast/engine/models/liquidation'
import { setTriggers } from '@shapecast/engine/position'
import { createRules } from '@shapecast/engine/rules'
import { step } from '@shapecast/engine/step'

/** A price before and after slippage, quote per base. */
export interface FillPrice {
  readonly price: number
  readonly rawPrice: number
}

/** An order that waits for its price. */
export interface RestingOrder {
  readonly side: 'buy' | 'sell'
  readonly type: 'limit' | 'stop'
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
export const FEES = RULES.fees

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
 * What candle `i` makes of an order that waits; null where its price is not reached. A limit order fills at its limit,
 * never better. A stop fills as the engine's stop-loss does: at its price, or at the open where that lies below, moved
 * against us.
 */
export function restingFill(order: RestingOrder, candles: Candles, i: number): FillPrice | null {
  if (order.type === 'stop') return stopFill(order.price, candles, i)
  const reached = order.side === 'buy' ? candles.low[i]! <= order.price : candles.high[i]! >= order.price
  return reached ? { price: order.price, rawPrice: order.price } : null
}

/** One step of the engine with a position whose stop-loss lies there. */
function stopFill(stop: number, candles: Candles, i: number): FillPrice | null {
  const account = createAccount(stop)
  account.side = 1
  account.size = 1
  account.entryPrice = stop
  account.entryRawPrice = stop
  account.margin = stop
  account.takeProfitPrice = NEVER_ABOVE
  account.stopLossPrice = stop
  account.lastTs = candles.ts[i]! - RULES.timeframeMs
  setTriggers(account, RULES)
  const fills: Fill[] = []
  step(account, RULES, candles, i, DECISION.HOLD, journalOf(fills))
  const [fill] = fills
  return fill === undefined ? null : { price: fill.price, rawPrice: fill.rawPrice }
}

const ignore = () => {}
const journalOf = (fills: Fill[]): Journal => ({
  fill: (fill) => void fills.push(fill),
  trade: ignore,
  skip: ignore,
  reduced: ignore,
  gap: ignore,
  funding: ignore,
})
