import { normalProbability, normalQuantile } from './normal.ts'

/** What is known of a series of returns (ratios, one a period). */
export interface SharpeMoments {
  readonly rows: number
  readonly mean: number
  /** Of the sample (n − 1); 0 of a series that does not vary. */
  readonly deviation: number
  /** Mean over deviation, per period; 0 of a series that does not vary. */
  readonly sharpe: number
  /** Of the population; 0 for the normal distribution. */
  readonly skewness: number
  /** Of the population; 3 for the normal distribution. */
  readonly kurtosis: number
}

/** Below this share of the mean square a variance is what rounding left of none. */
export const NO_VARIANCE = 1e-12

/** Sum of squares about the mean of `rows` values with these sums; 0 where that is rounding alone. */
export function squaresAboutMean(rows: number, sum: number, squares: number): number {
  const about = squares - (sum * sum) / rows
  return about > NO_VARIANCE * squares ? about : 0
}

export function sharpeMoments(returns: Float64Array): SharpeMoments {
  const rows = returns.length
  let sum = 0
  for (const value of returns) sum += value
  const mean = sum / rows
  let [squares, second, third, fourth] = [0, 0, 0, 0]
  for (const value of returns) {
    const off = value - mean
    squares += value * value
    second += off * off
    third += off * off * off
    fourth += off * off * off * off
  }
  if (rows < 2 || second <= NO_VARIANCE * squares)
    return { rows, mean, deviation: 0, sharpe: 0, skewness: 0, kurtosis: 3 }
  const variance = second / rows
  const deviation = Math.sqrt(second / (rows - 1))
  return {
    rows,
    mean,
    deviation,
    sharpe: mean / deviation,
    skewness: third / rows / variance ** 1.5,
    kurtosis: fourth / rows / variance ** 2,
  }
}

/** Variance of an estimated Sharpe ratio, times n − 1: Mertens 2002. */
const spread = ({ sharpe, skewness, kurtosis }: SharpeMoments): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe

/**
 * Probability that the true Sharpe ratio (per period) is above `least`: Bailey and López de Prado, The Sharpe Ratio
 * Efficient Frontier, J. Risk 15, 2012.
 */
export const probabilisticSharpe = (of: SharpeMoments, least: number): number =>
  normalProbability(((of.sharpe - least) * Math.sqrt(of.rows - 1)) / Math.sqrt(spread(of)))

/** Periods after which `probabilisticSharpe` reaches 95 %, the moments staying as they are; ∞ at or below `least`. Same source. */
export const minTrackRecord = (of: SharpeMoments, least: number): number =>
  of.sharpe <= least ? Number.POSITIVE_INFINITY : 1 + spread(of) * (normalQuantile(0.95) / (of.sharpe - least)) ** 2

/** Throws a RangeError for a series of another number of rows. */
export function requireRows(series: Float64Array, rows: number): void {
  if (series.length !== rows) throw new RangeError(`A trial has ${series.length} rows, the others have ${rows}.`)
}
