import { type Bps, type Ratio, ratioOfBps } from '@shapecast/contracts/units'
import type { Candles } from './candles.ts'
import type { Side } from './models/fills.ts'

/** An order that rests at the price of a decision, and becomes a market order where nobody takes it in time. */
export interface PostOnlyOrder {
  /** 1 buys, −1 sells. */
  readonly side: Side
  /** The close at which it was decided, quote per base, and the moment of that close, ms. */
  readonly close: number
  readonly decidedAtMs: number
  /** How long it rests. */
  readonly validMs: number
  readonly tickSize: number
}

export interface PostOnlyFill {
  readonly by: 'maker' | 'taker'
  /** Quote per base, with slippage where it took. */
  readonly price: number
  /** The open of the candle in which it filled, ms. */
  readonly timeMs: number
}

export interface FeesOfSides {
  readonly makerBps: Bps
  readonly takerBps: Bps
}

/** By so much a maker must be cheaper: below it what is missed by waiting takes the saving. */
const BREAK_EVEN_BPS = 3

/** Prices are whole ticks but for rounding. */
const ROUNDING = 1e-9

/**
 * Whether resting orders can be expected to save anything. The difference of fees alone is sure; slippage is an assumption.
 * @public
 */
export const savesByPosting = ({ makerBps, takerBps }: FeesOfSides): boolean =>
  takerBps - makerBps >= BREAK_EVEN_BPS - ROUNDING

/**
 * What a fill costs, as a share of its notional.
 * @public
 */
export const feeOfSide = ({ makerBps, takerBps }: FeesOfSides, by: PostOnlyFill['by']): Ratio =>
  ratioOfBps(by === 'maker' ? makerBps : takerBps)

/** The limit in ticks: the close, rounded away from the market. */
const limitTicks = ({ side, close, tickSize }: PostOnlyOrder): number => {
  const ticks = close / tickSize
  return side === 1 ? Math.floor(ticks * (1 + ROUNDING)) : Math.ceil(ticks * (1 - ROUNDING))
}

/**
 * What becomes of a post-only order by candles of `timeframeMs`; null where they end before it is known. It fills at its
 * limit, never better, if a candle that lies within its time trades *through* the limit by a tick: at a touch the orders
 * that stood before it are served. Otherwise it takes at the first open after its time, `slippageBps` worse.
 * @public
 */
export function postOnlyFill(
  order: PostOnlyOrder,
  candles: Candles,
  timeframeMs: number,
  slippageBps: Bps,
): PostOnlyFill | null {
  const { side, tickSize, decidedAtMs, validMs } = order
  const limit = limitTicks(order)
  for (let i = 0; i < candles.length; i++) {
    const timeMs = candles.ts[i]!
    if (timeMs < decidedAtMs) continue
    if (timeMs >= decidedAtMs + validMs)
      return { by: 'taker', price: candles.open[i]! * (1 + side * ratioOfBps(slippageBps)), timeMs }
    if (timeMs + timeframeMs > decidedAtMs + validMs) continue
    const through = side === 1 ? limit - candles.low[i]! / tickSize : candles.high[i]! / tickSize - limit
    if (through >= 1 - limit * ROUNDING) return { by: 'maker', price: limit * tickSize, timeMs }
  }
  return null
}
