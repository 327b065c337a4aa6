import { rollingSum } from './rolling.ts'
import { assertPeriod, firstDefined, undefinedSeries } from './series.ts'

const NEUTRAL = 50

/**
 * Relative strength index, 0–100 (Wilder, New Concepts, 1978): 100 × gains / (gains + losses), both by Wilder's
 * smoothing. The first value stands at candle `period`; 50 where nothing has moved.
 */
export function rsi(close: Float64Array, period = 14): Float64Array {
  assertPeriod(period)
  const out = undefinedSeries(close.length)
  const start = firstDefined(close)
  const first = start + period
  if (first >= close.length) return out
  let gains = 0
  let losses = 0
  for (let i = start + 1; i <= first; i++) {
    const change = close[i]! - close[i - 1]!
    if (change > 0) gains += change
    else losses -= change
  }
  gains /= period
  losses /= period
  out[first] = gains + losses === 0 ? NEUTRAL : (100 * gains) / (gains + losses)
  const weight = 1 / period
  for (let i = first + 1; i < close.length; i++) {
    const change = close[i]! - close[i - 1]!
    gains += weight * (Math.max(change, 0) - gains)
    losses += weight * ((change < 0 ? -change : 0) - losses)
    const both = gains + losses
    out[i] = both === 0 ? NEUTRAL : (100 * gains) / both
  }
  return out
}

/**
 * Ultimate Oscillator, 0–100 (Williams, Stocks & Commodities 3:4, 1985): buying pressure over true range for three
 * periods, weighted 4 : 2 : 1. The first value stands at candle `long`; a period without any range counts as neutral.
 */
export function ultimateOscillator(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  short = 7,
  middle = 14,
  long = 28,
): Float64Array {
  const pressure = undefinedSeries(close.length)
  const range = undefinedSeries(close.length)
  for (let i = 1; i < close.length; i++) {
    const before = close[i - 1]!
    const bottom = Math.min(low[i]!, before)
    const top = Math.max(high[i]!, before)
    pressure[i] = close[i]! - bottom
    range[i] = top - bottom
  }
  const out = undefinedSeries(close.length)
  const sums = [short, middle, long].map((period) => [rollingSum(pressure, period), rollingSum(range, period)] as const)
  const [[p1, r1], [p2, r2], [p3, r3]] = sums as [Pair, Pair, Pair]
  for (let i = Math.max(short, middle, long); i < close.length; i++) {
    const a = r1[i] === 0 ? 0.5 : p1[i]! / r1[i]!
    const b = r2[i] === 0 ? 0.5 : p2[i]! / r2[i]!
    const c = r3[i] === 0 ? 0.5 : p3[i]! / r3[i]!
    out[i] = (100 * (4 * a + 2 * b + c)) / 7
  }
  return out
}

type Pair = readonly [Float64Array, Float64Array]
