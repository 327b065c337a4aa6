import { assertPeriod, warmingSeries } from './series.ts'

/** The largest of the last `period` values. */
export const highest = (x: Float64Array, period: number): Float64Array => extreme(x, period, 1)

/** The smallest of the last `period` values. */
export const lowest = (x: Float64Array, period: number): Float64Array => extreme(x, period, -1)

/** A queue of the places that may still become the extreme: each value enters and leaves it once. */
function extreme(x: Float64Array, period: number, sign: 1 | -1): Float64Array {
  assertPeriod(period)
  const out = warmingSeries(x.length, period - 1)
  const queue = new Int32Array(x.length)
  let first = 0
  let end = 0
  for (let i = 0; i < x.length; i++) {
    while (end > first && sign * x[i]! >= sign * x[queue[end - 1]!]!) end--
    queue[end++] = i
    if (queue[first]! <= i - period) first++
    if (i >= period - 1) out[i] = x[queue[first]!]!
  }
  return out
}
