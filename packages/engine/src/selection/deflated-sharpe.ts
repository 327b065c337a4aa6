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

/** What some trials of a search tell: the sums that the ratio is made of. Plain data. */
export interface SharpeTrials {
  trials: number
  varying: number
  meanSharpe: number
  /** Of the Sharpe ratios about their mean. */
  squares: number
  /** Index of the best of them; -1 without a trial. */
  best: number
  moments: SharpeMoments | null
  /** Sum of the standardised series: the variance of it is the sum of all correlations. */
  readonly standardised: Float64Array
}

/**
 * The deflated Sharpe ratio of the best of a search, from the trials' series of returns (ratios, the same `rows` periods),
 * one after the other: none is kept. A series that does not vary is a trial with a Sharpe ratio of 0, correlated with none.
 */
export function createDeflatedSharpe(rows: number) {
  const standardised = new Float64Array(rows)
  const told: SharpeTrials = {
    trials: 0,
    varying: 0,
    meanSharpe: 0,
    squares: 0,
    best: -1,
    moments: null,
    standardised,
  }

  return {
    /** What the trials so far tell. */
    told: told as Readonly<SharpeTrials>,

    /** Throws a RangeError for another number of rows. */
    add(series: Float64Array): void {
      requireRows(series, rows)
      const of = sharpeMoments(series)
      const off = of.sharpe - told.meanSharpe
      told.trials++
      told.meanSharpe += off / told.trials
      told.squares += off * (of.sharpe - told.meanSharpe)
      if (told.moments === null || of.sharpe > told.moments.sharpe) {
        told.moments = of
        told.best = told.trials - 1
      }
      if (of.deviation === 0) return
      told.varying++
      for (let i = 0; i < rows; i++) standardised[i]! += (series[i]! - of.mean) / of.deviation
    },

    /** Takes the trials that follow from what they told elsewhere: Chan, Golub and LeVeque, Am. Stat. 37, 1983. */
    join(next: Readonly<SharpeTrials>): void {
      if (next.moments === null) return
      if (told.moments === null || next.moments.sharpe > told.moments.sharpe) {
        told.moments = next.moments
        told.best = told.trials + next.best
      }
      const trials = told.trials + next.trials
      const off = next.meanSharpe - told.meanSharpe
      told.squares += next.squares + (off * off * told.trials * next.trials) / trials
      told.meanSharpe += (off * next.trials) / trials
      told.trials = trials
      told.varying += next.varying
      for (let i = 0; i < rows; i++) standardised[i]! += next.standardised[i]!
    },

    /**
     * `earlier` trials that left no series count as independent ones. Throws a RangeError if there is no trial.
     */
    result(earlier = 0): DeflatedSharpe {
      const { trials, varying, squares, best, moments } = told
      if (moments === null) throw new RangeError('A search has one trial at least.')
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
