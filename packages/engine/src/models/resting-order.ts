import type { Ratio } from '@shapecast/contracts/units'
import { type FeeModel, proportionalFee } from './fees.ts'
import type { FillModel, Side } from './fills.ts'

/** How rebalances rest as post-only limit orders. */
export interface PostOnlyRules {
  /** 0 where it is not known. */
  readonly tickSize: number
  /** What a fill at the limit costs: the fee of a maker, no slippage. */
  readonly maker: { readonly fees: FeeModel; readonly fills: FillModel }
}

/** An order that rests at the price of its decision. Plain numbers, so that it survives JSON. */
export interface RestingOrder {
  /** 1 buys, −1 sells. */
  readonly side: Side
  /** Base. */
  readonly quantity: number
  /** Quote per base. */
  readonly limit: number
  /** From then on it takes, ms. */
  readonly until: number
  /** At which it would have taken at once, quote per base. */
  readonly open: number
}

/** How long an order rests: its hour is over at the first open after it. */
export const RESTS_MS = 3_600_000
/** Prices are whole ticks but for rounding. */
export const ROUNDING = 1e-9
const AT_LIMIT: FillModel = { entry: (price) => price, exit: (price) => price }

export const postOnlyRules = (makerFeeRate: Ratio, tickSize: number): PostOnlyRules => ({
  tickSize,
  maker: { fees: proportionalFee(makerFeeRate), fills: AT_LIMIT },
})

/** The close, rounded to a tick away from the market. */
export function limitAt(close: number, side: Side, tickSize: number): number {
  if (tickSize === 0) return close
  const ticks = close / tickSize
  return tickSize * (side === 1 ? Math.floor(ticks * (1 + ROUNDING)) : Math.ceil(ticks * (1 - ROUNDING)))
}
