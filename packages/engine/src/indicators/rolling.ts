import { assertPeriod, firstDefined, warmingSeries } from './series.ts'

/**
 * Mean of the last `period` values. Numbers missing at the start of `x` (NaN) are skipped; the first mean stands
 * at the last candle of the first full window.
 *
 * The window slides in O(1). What each addition rounds away is kept exactly (TwoSum: Knuth, The Art of Computer
 * Programming vol. 2, 4.2.2), so that the sum does not drift however long the series is.
 */
export function sma(x: Float64Array, period: number): Float64Array {
  assertPeriod(period)
  const start = firstDefined(x)
  const out = warmingSeries(x.length, start + period - 1)
  let sum = 0
  let lost = 0
  for (let i = start; i < x.length; i++) {
    const value = x[i]!
    const grown = sum + value
    const virtual = grown - sum
    lost += sum - (grown - virtual) + (value - virtual)
    sum = grown
    if (i - start < period - 1) continue
    out[i] = (sum + lost) / period
    const oldest = -x[i - period + 1]!
    const shrunk = sum + oldest
    const removed = shrunk - sum
    lost += sum - (shrunk - removed) + (oldest - removed)
    sum = shrunk
  }
  return out
}

/** Mean and population standard deviation of the last `period` values, in one pass. */
export interface RollingMoments {
  readonly mean: Float64Array
  readonly std: Float64Array
}

const RECOMPUTE_EVERY = 512
/** A fall of the sum of squares below this share of its highest value since it was last computed afresh. */
const CANCELLED = 1e-4

/**
 * Mean and standard deviation of a sliding window by Welford's update (Technometrics 4, 1962), computed afresh
 * every few hundred candles and whenever most of the sum of squares has cancelled: rounding errors cannot pile up,
 * and a window of equal values has a deviation of exactly 0. The mean is kept as a distance from a value nearby, so that
 * small moves of a large price keep their digits.
 */
export function rollingMoments(x: Float64Array, period: number): RollingMoments {
  assertPeriod(period)
  const first = firstDefined(x) + period - 1
  const mean = warmingSeries(x.length, first)
  const std = warmingSeries(x.length, first)
  const every = Math.max(RECOMPUTE_EVERY, 8 * period)
  const share = 1 / period
  let i = first
  while (i < x.length) {
    const from = i - period + 1
    const anchor = x[from]!
    let offset = 0
    for (let k = from; k <= i; k++) offset += x[k]! - anchor
    offset /= period
    let squares = 0
    for (let k = from; k <= i; k++) squares += (x[k]! - anchor - offset) ** 2
    mean[i] = anchor + offset
    std[i] = Math.sqrt(squares * share)

    let highest = squares
    const until = Math.min(x.length, i + every)
    for (i++; i < until; i++) {
      const added = x[i]! - anchor
      const removed = x[i - period]! - anchor
      const before = offset
      const change = added - removed
      offset += change * share
      squares += change * (added - offset + removed - before)
      const scale = Math.max(squares, change * change)
      if (scale > highest) highest = scale
      if (squares < highest * CANCELLED) break
      mean[i] = anchor + offset
      std[i] = Math.sqrt(squares * share)
    }
  }
  return { mean, std }
}

/** (x − mean) / population standard deviation over the last `period` values; 0 where the window does not vary. */
export function zScore(x: Float64Array, period = 20): Float64Array {
  const { mean, std } = rollingMoments(x, period)
  const out = mean
  for (let i = 0; i < x.length; i++) out[i] = std[i] === 0 ? 0 : (x[i]! - mean[i]!) / std[i]!
  return out
}
