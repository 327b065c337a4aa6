import type { RangeLimits, VisibleRange } from '../visible-range.ts'
import { FUTURE_STEPS } from './price-input.ts'

const MIN_SPAN = 16
/** A little space after the last step of the future. */
const RIGHT_SPACE = 1
/** Below this width candles cannot be told apart; a narrow chart begins with fewer of them. */
const LEGIBLE_PX = 4.4

/** From the first candle to the end of the future zone. */
export function priceLimits(count: number): RangeLimits {
  return { whole: { from: -0.5, to: count - 0.5 + FUTURE_STEPS + RIGHT_SPACE }, minSpan: MIN_SPAN }
}

/** What a chart `widthPx` wide shows at first: the newest `shown` candles, or as many as can be told apart, and the zone. */
export function homeRange(count: number, shown: number, widthPx: number): VisibleRange {
  const { to } = priceLimits(count).whole
  const fitting = Math.floor(widthPx / LEGIBLE_PX) - FUTURE_STEPS - RIGHT_SPACE
  const candles = Math.max(MIN_SPAN, Math.min(shown, fitting, count))
  return { from: Math.max(-0.5, count - candles - 0.5), to }
}

/** The same stretch of time after all indices have moved by `by` (older candles have come: above 0). */
export const moveRange = (range: VisibleRange, by: number): VisibleRange => ({
  from: range.from + by,
  to: range.to + by,
})

/** After `added` new candles: moved along where the last candle was in view, else left where it is. */
export function followNew(range: VisibleRange, countBefore: number, added: number): VisibleRange {
  return range.to >= countBefore - 1 ? moveRange(range, added) : range
}

/** Whether it is time to load older candles: less than half a screen of them is left at the left. */
export const isNearOldest = (range: VisibleRange): boolean => range.from < (range.to - range.from) / 2
