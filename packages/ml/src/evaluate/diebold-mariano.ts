import { twoSidedP, twoSidedQuantile } from './student-t.ts'

export interface DieboldMariano {
  outcomes: number
  /** Mean of a's losses less b's; below 0 a is better. */
  meanDifference: number
  /** 95 % interval of that mean. */
  interval: [low: number, high: number]
  statistic: number
  pValue: number
}

/** Newey and West's rule of thumb for the lag, ⌊4 (n/100)^(2/9)⌋, and at least what overlapping horizons share. */
export const lagOf = (outcomes: number, horizon: number): number =>
  Math.min(Math.max(0, outcomes - 1), Math.max(horizon - 1, Math.floor(4 * (outcomes / 100) ** (2 / 9))))

/** Variance of the mean of a series that hangs together over `lag` steps (Newey and West, Econometrica 55, 1987). */
export function varianceOfMean(series: ArrayLike<number>, lag: number): number {
  const n = series.length
  let mean = 0
  for (let t = 0; t < n; t++) mean += series[t]! / n
  let total = 0
  for (let k = 0; k <= lag; k++) {
    let covariance = 0
    for (let t = k; t < n; t++) covariance += ((series[t]! - mean) * (series[t - k]! - mean)) / n
    total += k === 0 ? covariance : 2 * (1 - k / (lag + 1)) * covariance
  }
  return total / n
}

/**
 * Whether two forecasts of the same outcomes, in order of time, differ in their mean loss (Diebold and Mariano, Journal of
 * Business & Economic Statistics 13, 1995), with the small-sample correction of Harvey, Leybourne and Newbold
 * (International Journal of Forecasting 13, 1997) and Student's t. Equal losses give p = 1.
 */
export function dieboldMariano(a: ArrayLike<number>, b: ArrayLike<number>, horizon: number): DieboldMariano {
  const n = a.length
  if (b.length !== n) throw new RangeError(`${n} and ${b.length} losses are not of the same outcomes.`)
  const differences = Float64Array.from({ length: n }, (_, t) => a[t]! - b[t]!)
  const meanDifference = n === 0 ? 0 : differences.reduce((sum, d) => sum + d, 0) / n
  const variance = n < 2 ? 0 : varianceOfMean(differences, lagOf(n, horizon))
  const correction = (n + 1 - 2 * horizon + (horizon * (horizon - 1)) / n) / n
  if (!(variance > 0) || !(correction > 0))
    return { outcomes: n, meanDifference, interval: [meanDifference, meanDifference], statistic: 0, pValue: 1 }
  const error = Math.sqrt(variance / correction)
  const reach = twoSidedQuantile(0.05, n - 1) * error
  const statistic = meanDifference / error
  return {
    outcomes: n,
    meanDifference,
    interval: [meanDifference - reach, meanDifference + reach],
    statistic,
    pValue: twoSidedP(statistic, n - 1),
  }
}
