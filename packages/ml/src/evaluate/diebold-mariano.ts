import type { PairedTest } from '@shapecast/contracts/evaluation'
import { twoSidedP, twoSidedQuantile } from './student-t.ts'

export type DieboldMariano = Omit<PairedTest, 'verdict'>

/**
 * Variance of the mean of a series whose neighbours hang together, from its slowest waves: the mean square of its
 * projections on ⌊0.4 n^⅔⌋ cosines, and as many degrees of freedom for Student's t (Lazarus, Lewis, Stock and Watson, HAR
 * inference: recommendations for practice, Journal of Business & Economic Statistics 36, 2018). The level of the series has
 * no part in them, as the cosines add up to nothing. At least two values.
 */
export function varianceOfMean(series: ArrayLike<number>): { variance: number; degrees: number } {
  const n = series.length
  const degrees = Math.max(1, Math.floor(0.4 * n ** (2 / 3)))
  let squares = 0
  for (let j = 1; j <= degrees; j++) {
    let projection = 0
    for (let t = 0; t < n; t++) projection += series[t]! * Math.cos((Math.PI * j * (t + 0.5)) / n)
    squares += (2 / n) * projection ** 2
  }
  return { variance: squares / degrees / n, degrees }
}

/**
 * Whether two forecasts of the same outcomes, in order of time, differ in their mean loss (Diebold and Mariano, Journal of
 * Business & Economic Statistics 13, 1995). The variance includes correlation over all lags, so that overlapping horizons
 * need not be named: Bartlett's weights up to the horizon (Newey and West, 1987), even with the correction of Harvey,
 * Leybourne and Newbold (1997), found a difference where there was none in 9 to 12 % of cases at 8 candles ahead, this in
 * 4 to 6 %. Equal losses give p = 1.
 */
export function dieboldMariano(a: ArrayLike<number>, b: ArrayLike<number>): DieboldMariano {
  const n = a.length
  if (b.length !== n) throw new RangeError(`${n} and ${b.length} losses are not of the same outcomes.`)
  const differences = Float64Array.from({ length: n }, (_, t) => a[t]! - b[t]!)
  const meanDifference = n === 0 ? 0 : differences.reduce((sum, d) => sum + d, 0) / n
  const { variance, degrees } = n < 2 ? { variance: 0, degrees: 1 } : varianceOfMean(differences)
  if (!(variance > 0))
    return { outcomes: n, meanDifference, interval: [meanDifference, meanDifference], statistic: 0, pValue: 1 }
  const error = Math.sqrt(variance)
  const reach = twoSidedQuantile(0.05, degrees) * error
  const statistic = meanDifference / error
  return {
    outcomes: n,
    meanDifference,
    interval: [meanDifference - reach, meanDifference + reach],
    statistic,
    pValue: twoSidedP(statistic, degrees),
  }
}
