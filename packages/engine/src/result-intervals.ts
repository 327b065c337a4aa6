import { hasEnoughBlocks, type Statistic, studentisedIntervals } from './studentised-intervals.ts'

type Interval = [low: number, high: number]

export interface ResultIntervals {
  /** Of the mean result. */
  readonly mean: Interval | null
  /** Of mean over deviation (n). */
  readonly sharpe: Interval | null
  /** Of ln(sum of the gains / sum of the losses). */
  readonly logProfitFactor: Interval | null
}

const NONE: ResultIntervals = { mean: null, sharpe: null, logProfitFactor: null }
const FEWEST_OF_A_SIGN = 5

/** Why results have no interval; null where they may have one. */
export function whyNoInterval(results: Float64Array): 'too_few' | 'too_few_wins_or_losses' | null {
  if (results.length === 0 || !hasEnoughBlocks(results.length)) return 'too_few'
  const { wins, losses } = countSigns(results)
  return Math.min(wins, losses) < FEWEST_OF_A_SIGN ? 'too_few_wins_or_losses' : null
}

export const countSigns = (results: Float64Array): { wins: number; losses: number } => ({
  wins: results.reduce((sum, x) => sum + (x > 0 ? 1 : 0), 0),
  losses: results.reduce((sum, x) => sum + (x < 0 ? 1 : 0), 0),
})

/**
 * 95 % intervals of the mean, the Sharpe ratio and the logarithm of the profit factor of results in order of time (of trades,
 * or of days), by studentised circular blocks (`studentisedIntervals`). None with fewer than ten blocks (30 results), or with
 * fewer than five gains or five losses.
 */
export function resultIntervals(results: Float64Array, next: () => number, draws = 999): ResultIntervals {
  if (whyNoInterval(results) !== null) return NONE
  const { center, moments, sharpe } = aboutMean(results)
  const columns = [...moments, results.map((x) => Math.max(x, 0)), results.map((x) => Math.max(-x, 0))]
  const mean: Statistic = { value: ([m]) => center + m!, slopes: () => [1, 0, 0, 0] }
  const logProfitFactor: Statistic = {
    value: ([, , won, lost]) => Math.log(won! / lost!),
    slopes: ([, , won, lost]) => [0, 0, 1 / won!, -1 / lost!],
  }
  const found = studentisedIntervals(columns, [mean, sharpe, logProfitFactor], next, { draws })
  return { mean: found[0]!, sharpe: found[1]!, logProfitFactor: found[2]! }
}

/** That of the Sharpe ratio alone, to the same bits. */
export function sharpeInterval(results: Float64Array, next: () => number, draws = 999): Interval | null {
  if (whyNoInterval(results) !== null) return null
  const { moments, sharpe } = aboutMean(results)
  return studentisedIntervals(moments, [sharpe], next, { draws })[0]!
}

/** Results and their squares about their mean, so that the variance is no difference of large figures. */
function aboutMean(results: Float64Array) {
  const center = results.reduce((sum, x) => sum + x, 0) / results.length
  const around = results.map((x) => x - center)
  const sharpe: Statistic = {
    value: ([m, square]) => (center + m!) / deviation(m!, square!),
    // z − S/2·(z² − 1), by the mean and by the mean square.
    slopes: ([m, square]) => {
      const sd = deviation(m!, square!)
      const ratio = (center + m!) / sd
      return [1 / sd + (ratio * m!) / (sd * sd), -ratio / (2 * sd * sd), 0, 0]
    },
  }
  return { center, moments: [around, around.map((d) => d * d)], sharpe }
}

const deviation = (mean: number, square: number): number => Math.sqrt(square - mean * mean)

/** Mean over deviation (n) of results. */
export function sharpeOf(results: Float64Array): number {
  const mean = results.reduce((sum, x) => sum + x, 0) / results.length
  return mean / Math.sqrt(results.reduce((sum, x) => sum + (x - mean) ** 2, 0) / results.length)
}

/** How much each result resembles the one before, −1 to 1; null where they do not vary. Above 0.4 intervals are too narrow. */
export function autocorrelation(results: Float64Array): number | null {
  const mean = results.reduce((sum, x) => sum + x, 0) / results.length
  let squares = 0
  let products = 0
  results.forEach((x, i) => {
    squares += (x - mean) ** 2
    if (i > 0) products += (x - mean) * (results[i - 1]! - mean)
  })
  return squares > 0 ? products / squares : null
}
