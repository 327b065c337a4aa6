import type { PostedOrders } from '@shapecast/contracts/costs'
import { NEVER_ABOVE, NEVER_BELOW } from './models/liquidation.ts'
import type { RestingOrder } from './models/resting-order.ts'

/**
 * The state that a step carries from candle to candle. Plain data of finite numbers, so that it survives JSON and the
 * step can change it in place without allocating. Amounts in quote, quantities in base, times in ms.
 */
export interface Account {
  /** Money without the profit or loss of the open position; its margin is a part of it. */
  balance: number
  /** At the last close, the open position marked there. */
  equity: number
  /** Highest equity at a close so far. */
  peak: number
  /** Open time of the candle at whose close the drawdown limit was reached; −1 before that. */
  haltedAt: number
  /** 1 long, −1 short, 0 flat. */
  side: number
  /** Quantity, negative for a short. */
  size: number
  entryPrice: number
  entryRawPrice: number
  entryTime: number
  entryFee: number
  positionFunding: number
  margin: number
  takeProfitPrice: number
  stopLossPrice: number
  liquidationPrice: number
  /** Of the position: the entry price, or the best price of the candles since then; 0 of accounts from before it was kept. */
  bestPrice: number
  /** While prices stay above the one and below the other, no stop, take profit or liquidation can act. */
  lowerTrigger: number
  upperTrigger: number
  /** Open time of the last candle; −1 before the first. */
  lastTs: number
  /** For volatility targets and post-only orders: last close (0: none); for the first Σ λᵏ r² and Σ λᵏ, both times 1 − λ. */
  lastClose: number
  weightedSquares: number
  weights: number
  /** Of several pairs on one balance: margins of the others' positions, and their profit or loss at their last prices. */
  boundElsewhere: number
  profitElsewhere: number
  /** An order that rests at its limit; left out where none does. */
  resting?: RestingOrder | undefined
  /** Results of such orders; left out without any. */
  posted?: PostedOrders
}

/** A flat account of `initialBalance` quote that has seen no candle. */
export const createAccount = (initialBalance: number): Account => ({
  balance: initialBalance,
  equity: initialBalance,
  peak: initialBalance,
  haltedAt: -1,
  side: 0,
  size: 0,
  entryPrice: 0,
  entryRawPrice: 0,
  entryTime: -1,
  entryFee: 0,
  positionFunding: 0,
  margin: 0,
  takeProfitPrice: 0,
  stopLossPrice: 0,
  liquidationPrice: 0,
  bestPrice: 0,
  lowerTrigger: NEVER_BELOW,
  upperTrigger: NEVER_ABOVE,
  lastTs: -1,
  lastClose: 0,
  weightedSquares: 0,
  weights: 0,
  boundElsewhere: 0,
  profitElsewhere: 0,
})

/** Money that an entry may use. */
export const freeBalance = (account: Account): number => account.balance - account.boundElsewhere

/** Equity with this position marked at a price. */
export const equityAt = (account: Account, price: number): number =>
  account.balance + account.profitElsewhere + account.size * (price - account.entryPrice)

/** Annual volatility needs this many returns before it is believed. */
const RETURNS_NEEDED = 30
/** Decay of the squared returns: half their weight lies within the last 23 candles. */
const LAMBDA = 0.97
const WEIGHT_NEEDED = 1 - LAMBDA ** RETURNS_NEEDED - 1e-12

/** Applies a close; a return over a gap is left out, since it spans more than one candle. */
export function rememberClose(account: Account, close: number): void {
  if (account.lastClose > 0) {
    const change = close / account.lastClose - 1
    account.weightedSquares = LAMBDA * account.weightedSquares + (1 - LAMBDA) * change * change
    account.weights = LAMBDA * account.weights + (1 - LAMBDA)
  }
  account.lastClose = close
}

/** Standard deviation of a year's returns (ratio) by EWMA with λ 0.97; NaN before 30 returns are known. */
export const annualVolatility = (account: Account, candlesPerYear: number): number =>
  account.weights < WEIGHT_NEEDED ? Number.NaN : Math.sqrt((account.weightedSquares / account.weights) * candlesPerYear)
