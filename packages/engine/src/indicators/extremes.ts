import { assertPeriod, firstDefined, warmingSeries } from './series.ts'

/** Largest of the last `period` values. */
export const rollingMax = (x: Float64Array, period: number): Float64Array => rollingExtreme(x, period, 1)

/** Smallest of the last `period` values. */
export const rollingMin = (x: Float64Array, period: number): Float64Array => rollingExtreme(x, period, -1)

/**
 * Blocks of `period` values; each window is the end of one block and the start of the next, so its extreme is that
 * of two running ones: three comparisons a candle whatever the period (van Herk, 1992; Gil and Werman, 1993).
 */
function rollingExtreme(x: Float64Array, period: number, sign: 1 | -1): Float64Array {
  assertPeriod(period)
  const start = firstDefined(x)
  const out = warmingSeries(x.length, start + period - 1)
  for (let block = start; block + period <= x.length; block += period) {
    // Written one period ahead: the best of this block from k on belongs to the window that starts at k.
    let best = sign * x[block + period - 1]!
    for (let k = block + period - 1; k >= block; k--) {
      best = Math.max(best, sign * x[k]!)
      out[k + period - 1] = best
    }
    best = Number.NEGATIVE_INFINITY
    const end = Math.min(block + 2 * period - 1, x.length)
    for (let i = block + period; i < end; i++) {
      best = Math.max(best, sign * x[i]!)
      out[i] = Math.max(best, out[i]!)
    }
    for (let i = block + period - 1; i < end; i++) out[i] = sign * out[i]!
  }
  return out
}
