import { assertPeriod, firstDefined, warmingSeries } from './series.ts'

/** Mean of `period` values from `from`, taken from the first value so that equal values give exactly that value. */
function plainMean(x: Float64Array, from: number, period: number): number {
  const anchor = x[from]!
  let offset = 0
  for (let k = from; k < from + period; k++) offset += x[k]! - anchor
  return anchor + offset / period
}

function exponential(x: Float64Array, period: number, weight: number): Float64Array {
  assertPeriod(period)
  const start = firstDefined(x)
  const first = start + period - 1
  const out = warmingSeries(x.length, first)
  if (first >= x.length) return out
  let average = plainMean(x, start, period)
  out[first] = average
  for (let i = first + 1; i < x.length; i++) {
    average += weight * (x[i]! - average)
    out[i] = average
  }
  return out
}

/** Exponential moving average, weight 2 / (period + 1), seeded by the mean of the first `period` values. */
export const ema = (x: Float64Array, period: number): Float64Array => exponential(x, period, 2 / (period + 1))

/** Wilder's smoothing, weight 1 / period, seeded by the mean of the first `period` values (New Concepts, 1978). */
export const wilder = (x: Float64Array, period: number): Float64Array => exponential(x, period, 1 / period)
