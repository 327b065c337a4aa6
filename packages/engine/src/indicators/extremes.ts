import { assertPeriod, firstDefined, undefinedSeries } from './series.ts'

/** Largest of the last `period` values. */
export function rollingMax(x: Float64Array, period: number): Float64Array {
  assertPeriod(period)
  const out = undefinedSeries(x.length)
  const start = firstDefined(x)
  let at = -1
  let best = Number.NEGATIVE_INFINITY
  for (let i = start; i < x.length; i++) {
    const value = x[i]!
    if (value >= best) {
      best = value
      at = i
    } else if (at <= i - period) {
      at = indexOfMax(x, i - period + 1, i)
      best = x[at]!
    }
    if (i - start >= period - 1) out[i] = best
  }
  return out
}

/** Smallest of the last `period` values. */
export function rollingMin(x: Float64Array, period: number): Float64Array {
  assertPeriod(period)
  const out = undefinedSeries(x.length)
  const start = firstDefined(x)
  let at = -1
  let best = Number.POSITIVE_INFINITY
  for (let i = start; i < x.length; i++) {
    const value = x[i]!
    if (value <= best) {
      best = value
      at = i
    } else if (at <= i - period) {
      at = indexOfMin(x, i - period + 1, i)
      best = x[at]!
    }
    if (i - start >= period - 1) out[i] = best
  }
  return out
}

function indexOfMax(x: Float64Array, from: number, to: number): number {
  let at = from
  for (let k = from + 1; k <= to; k++) if (x[k]! >= x[at]!) at = k
  return at
}

function indexOfMin(x: Float64Array, from: number, to: number): number {
  let at = from
  for (let k = from + 1; k <= to; k++) if (x[k]! <= x[at]!) at = k
  return at
}
