import type { ChartFrame, RangeLimits, VisibleRange } from '../visible-range.ts'
import { FUTURE_STEPS } from './price-input.ts'

const MIN_SPAN = 16
/** A little space after the last step of the future. */
const RIGHT_SPACE = 1
/** Below this width candles cannot be told apart; a narrow chart begins with fewer of them. */
const LEGIBLE_PX = 4.4

/** The library draws a candle 0.8 of its space wide: here that is 12 px, the most it may be. */
const MOST_SPACING_PX = 15

/** Fewest candles that a chart `widthPx` wide shows. */
const minSpan = (widthPx: number): number => Math.max(MIN_SPAN, widthPx / MOST_SPACING_PX)

/** From the first candle to the end of the future zone; with few candles some room before them. */
export function priceLimits(count: number, widthPx: number): RangeLimits {
  const to = count - 0.5 + FUTURE_STEPS + RIGHT_SPACE
  return { whole: { from: Math.min(-0.5, to - minSpan(widthPx)), to }, minSpan: minSpan(widthPx) }
}

/** What a chart `widthPx` wide shows at first: the newest `shown` candles, or as many as can be told apart, and the zone. */
export function homeRange(count: number, shown: number, widthPx: number): VisibleRange {
  const { whole } = priceLimits(count, widthPx)
  const fitting = Math.floor(widthPx / LEGIBLE_PX) - FUTURE_STEPS - RIGHT_SPACE
  const candles = Math.max(MIN_SPAN, Math.min(shown, fitting, count))
  const from = Math.min(count - candles - 0.5, whole.to - minSpan(widthPx))
  return { from: Math.max(whole.from, from), to: whole.to }
}

/** Of a chart that begins with the newest `shown` candles and the zone of the future. */
export const priceFrame = (shown: number): ChartFrame => ({
  limits: priceLimits,
  home: (count, widthPx) => homeRange(count, shown, widthPx),
})
