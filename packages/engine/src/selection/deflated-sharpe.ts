import { normalQuantile } from './normal.ts'
import { probabilisticSharpe, requireRows, type SharpeMoments, sharpeMoments } from './sharpe.ts'

const EULER = 0.5772156649015329

/**
 * The Sharpe ratio (per period) that the best of `trials` (a number, whole or not) without any edge is expected to show,
 * where theirs have this variance; 0 of one trial. Bailey and López de Prado, The Deflated Sharpe Ratio, J. Portf. Manag.
 * 40, 2014.
 */
export const expectedBestSharpe = (trials: number, variance: number): number =>
  trials <= 1
    ? 0
    : Math.sqrt(variance) *
      ((1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E)))

/**
 * Independent trials that as many correlated ones stand for, by their mean pairwise correlation. (The participation ratio
 * of eigenvalues says too few: with it 10 to 35 % of searches without an edge pass.)
 */
export const effectiveTrials = (trials: number, meanCorrelation: number): number =>
  Math.min(trials, Math.max(1, meanCorrelation + (1 - meanCorrelation) * trials))

export interface DeflatedSharpe {
  readonly trials: number
  readonly effectiveTrials: number
  /** Mean of the correlations of all pairs of trials; 0 of one trial. */
  readonly meanCorrelation: number
  /** What luck alone is expected to show, per period. */
  readonly expectedBest: number
  /** Index of the trial with the highest Sharpe ratio, the first of equals, in the order of `add`. */
  readonly best: number
  readonly moments: SharpeMoments
  /** Probability that the best one's true Sharpe ratio is above `expectedBest`. */
  readonly probability: number
}

/**
 * The deflated Sharpe ratio of the best of a search, from the trials' series of returns (ratios, the same `rows` periods),
 * one after the other: none is kept. A series that does not vary is a trial with a Sharpe ratio of 0, correlated with none.
 */
export function createDeflatedSharpe(rows: number) {
  /** Of the standardised series: the variance of their sum is the sum of all correlations. */
  const standardised = new Float64Array(rows)
  let trials = 0
  let varying = 0
  let meanSharpe = 0
  let squares = 0
  let best = -1
  let moments: SharpeMoments | undefined

  return {
    /** Throws a RangeError for another number of rows. */
    add(series: Float64Array): void {
      requireRows(series, rows)
      const of = sharpeMoments(series)
      const off = of.sharpe - meanSharpe
      trials++
      meanSharpe += off / trials
      squares += off * (of.sharpe - meanSharpe)
      if (moments === undefined || of.sharpe > moments.sharpe) {
        moments = of
        best = trials - 1
      }
      if (of.deviation === 0) return
      varying++
      for (let i = 0; i < rows; i++) standardised[i]! += (series[i]! - of.mean) / of.deviation
    },

    /**
     * `earlier` trials that left no series count as independent ones. Throws a RangeError if there is no trial.
     */
    result(earlier = 0): DeflatedSharpe {
      if (moments === undefined) throw new RangeError('A search has one trial at least.')
      let all = 0
      for (const value of standardised) all += value * value
      const meanCorrelation = trials === 1 ? 0 : (all / (rows - 1) - varying) / (trials * (trials - 1))
      const effective = effectiveTrials(trials, meanCorrelation) + earlier
      const expectedBest = expectedBestSharpe(effective, trials === 1 ? 0 : squares / (trials - 1))
      const probability = probabilisticSharpe(moments, expectedBest)
      return { trials, effectiveTrials: effective, meanCorrelation, expectedBest, best, moments, probability }
    },
  }
}
