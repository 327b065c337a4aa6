import { rearrange } from '../blend/blend-forecasts.ts'
import { INTERVALS, type ScoreTable } from './scores.ts'
import { createSortedWindow, type SortedWindow } from './sorted-window.ts'

/** Candles whose outcomes correct the fan. */
export const CONFORMAL_WINDOW = 500
/** Fewer known scores than these say less than those that came with the model. */
const FEWEST_SCORES = 50
/** An interval shrinks to no less than a tenth of its width. */
const STRONGEST_SHRINKAGE = -0.45

/** The conformal quantile: the ⌈(n + 1) level⌉-th smallest of n scores (Vovk, Gammerman and Shafer, 2005). */
export function conformalQuantile(window: SortedWindow, level: number): number {
  const k = Math.min(window.size, Math.ceil((window.size + 1) * level))
  return Math.max(STRONGEST_SHRINKAGE, window.at(k - 1))
}

/** What is added on both sides of each interval, relative to its width, where no score is known yet: by column. */
export function staticCorrections(table: ScoreTable, horizons: number): number[] {
  const columns = horizons * INTERVALS.length
  return Array.from({ length: columns }, (_, column) => {
    const window = createSortedWindow(table.ts.length)
    for (let row = 0; row < table.ts.length; row++) {
      const score = table.scores[row * columns + column]!
      if (!Number.isNaN(score)) window.add(score)
    }
    return window.size === 0 ? 0 : conformalQuantile(window, INTERVALS[column % INTERVALS.length]!.level)
  })
}

/**
 * Widens or narrows the fan so that each interval covers its share, from the scores of the last 500 candles whose outcome
 * was known when the forecast was made: a forecast h candles ahead counts h candles later, not before. Rows are in
 * order of time. In place.
 * @param quantiles log returns [rows × horizons × quantiles]
 * @param ts open times of the rows' candles, ms
 * @param known scores in order of time, of candles before and among the rows
 * @param fallback corrections by column where fewer than 50 scores are known
 */
export function correctFan(
  quantiles: Float64Array,
  ts: Float64Array,
  known: ScoreTable,
  fallback: readonly number[],
  timeframeMs: number,
): void {
  const columns = fallback.length
  const horizons = columns / INTERVALS.length
  const width = quantiles.length / (ts.length * horizons)
  for (let column = 0; column < columns; column++) {
    const h = Math.floor(column / INTERVALS.length)
    const { low, high, level } = INTERVALS[column % INTERVALS.length]!
    const window = createSortedWindow(CONFORMAL_WINDOW)
    let next = 0
    for (let i = 0; i < ts.length; i++) {
      for (; next < known.ts.length && known.ts[next]! + (h + 1) * timeframeMs <= ts[i]!; next++) {
        const oldest =
          next >= CONFORMAL_WINDOW ? known.scores[(next - CONFORMAL_WINDOW) * columns + column]! : Number.NaN
        if (!Number.isNaN(oldest)) window.remove(oldest)
        const score = known.scores[next * columns + column]!
        if (!Number.isNaN(score)) window.add(score)
      }
      const correction = window.size >= FEWEST_SCORES ? conformalQuantile(window, level) : fallback[column]!
      const at = (i * horizons + h) * width
      const reach = correction * (quantiles[at + high]! - quantiles[at + low]!)
      quantiles[at + low]! -= reach
      quantiles[at + high]! += reach
    }
  }
  for (let at = 0; at < quantiles.length; at += width) rearrange(quantiles, at, width)
}
