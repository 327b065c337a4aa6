import { highest, lowest } from './extremes.ts'
import { sma } from './rolling.ts'
import { assertPeriod, warmingSeries } from './series.ts'

/**
 * Where the close lies between the lowest low and the highest high of `period` candles, 0–100 (Lane's %K, 1950s),
 * averaged over `smoothing`; 50 where they are the same.
 */
export function stochastic(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period = 14,
  smoothing = 1,
): Float64Array {
  const top = highest(high, period)
  const bottom = lowest(low, period)
  const raw = warmingSeries(close.length, period - 1)
  for (let i = period - 1; i < close.length; i++) {
    const range = top[i]! - bottom[i]!
    raw[i] = range === 0 ? 50 : (100 * (close[i]! - bottom[i]!)) / range
  }
  return smoothing === 1 ? raw : sma(raw, smoothing)
}

/**
 * Commodity channel index (Lambert, Commodities, 1980): the typical price's distance from its mean over `period`
 * candles, in 0.015 mean absolute deviations; 0 where nothing has moved.
 */
export function cci(high: Float64Array, low: Float64Array, close: Float64Array, period = 20): Float64Array {
  assertPeriod(period)
  const typical = typicalPrices(high, low, close)
  const mean = sma(typical, period)
  const out = warmingSeries(close.length, period - 1)
  for (let i = period - 1; i < close.length; i++) {
    let deviation = 0
    for (let k = i - period + 1; k <= i; k++) deviation += Math.abs(typical[k]! - mean[i]!)
    out[i] = deviation === 0 ? 0 : (typical[i]! - mean[i]!) / ((0.015 * deviation) / period)
  }
  return out
}

/**
 * Money flow index, 0–100 (Quong and Soudack, Stocks & Commodities 7:3, 1989): the share of typical price × volume
 * that flowed on candles whose typical price rose, of `period` candles; 50 where none flowed.
 */
export function moneyFlow(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  volume: Float64Array,
  period = 14,
): Float64Array {
  const rising = warmingSeries(close.length, 1)
  const falling = warmingSeries(close.length, 1)
  const typical = typicalPrices(high, low, close)
  for (let i = 1; i < close.length; i++) {
    const change = typical[i]! - typical[i - 1]!
    const flow = typical[i]! * volume[i]!
    rising[i] = change > 0 ? flow : 0
    falling[i] = change < 0 ? flow : 0
  }
  const out = sma(rising, period)
  const fell = sma(falling, period)
  for (let i = period; i < close.length; i++) {
    const both = out[i]! + fell[i]!
    out[i] = both === 0 ? 50 : (100 * out[i]!) / both
  }
  return out
}

function typicalPrices(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const out = new Float64Array(close.length)
  for (let i = 0; i < close.length; i++) out[i] = (high[i]! + low[i]! + close[i]!) / 3
  return out
}
