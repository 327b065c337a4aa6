import { assertPeriod, firstDefined, undefinedSeries } from './series.ts'

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
  const out = undefinedSeries(x.length)
  const start = firstDefined(x)
  const toBlockEnd = new Float64Array(x.length)
  let running = 0
  for (let i = x.length - 1; i >= start; i--) {
    const value = sign * x[i]!
    running = i === x.length - 1 || (i - start + 1) % period === 0 ? value : Math.max(running, value)
    toBlockEnd[i] = running
  }
  for (let i = start; i < x.length; i++) {
    const value = sign * x[i]!
    running = (i - start) % period === 0 ? value : Math.max(running, value)
    if (i - start >= period - 1) out[i] = sign * Math.max(running, toBlockEnd[i - period + 1]!)
  }
  return out
}
