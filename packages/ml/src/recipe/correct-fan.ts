import { rearrange } from './blend-forecasts.ts'
import { INTERVALS, type ScoreTable } from './scores.ts'

/** A multiset of numbers kept in order, for quantiles of a window that slides. */
interface SortedWindow {
  readonly size: number
  add(value: number): void
  /** Takes out one value equal to `value`, which must be there. */
  remove(value: number): void
  /** The k-th smallest, k from 0. */
  at(k: number): number
}

/** At most `capacity` values at a time; adding and removing move part of one array. */
export function createSortedWindow(capacity: number): SortedWindow {
  const values = new Float64Array(capacity)
  let size = 0
  const lowerBound = (value: number): number => {
    let [low, high] = [0, size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (values[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    get size() {
      return size
    },
    add(value) {
      const k = lowerBound(value)
      values.copyWithin(k + 1, k, size)
      values[k] = value
      size++
    },
    remove(value) {
      const k = lowerBound(value)
      values.copyWithin(k, k + 1, size)
      size--
    },
    at: (k) => values[k]!,
  }
}

/** Candles whose outcomes correct the fan. */
export const CONFORMAL_WINDOW = 500
/** Fewer known scores than these say less than those that came with the model. */
export const FEWEST_SCORES = 50
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
 * What widens or narrows each interval so that it covers its share, relative to its width on both sides, [rows × columns]:
 * from the scores of the last 500 candles whose outcome was known when the forecast was made. A forecast h candles ahead
 * counts h candles later, not before. Rows are in order of time.
 * @param ts open times of the rows' candles, ms
 * @param known scores in order of time, of candles before and among the rows
 * @param fallback corrections by column where fewer than 50 scores are known
 */
export function fanCorrections(
  ts: Float64Array,
  known: ScoreTable,
  fallback: readonly number[],
  timeframeMs: number,
): Float64Array {
  const columns = fallback.length
  const corrections = new Float64Array(ts.length * columns)
  for (let column = 0; column < columns; column++) {
    const h = Math.floor(column / INTERVALS.length)
    const { level } = INTERVALS[column % INTERVALS.length]!
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
      corrections[i * columns + column] =
        window.size >= FEWEST_SCORES ? conformalQuantile(window, level) : fallback[column]!
    }
  }
  return corrections
}

/**
 * Widens or narrows the intervals of a fan, in place.
 * @param quantiles log returns [rows × horizons × quantiles]
 * @param corrections as `fanCorrections` gives them
 */
export function widenFan(quantiles: Float64Array, corrections: Float64Array): void {
  const cells = corrections.length / INTERVALS.length
  const width = quantiles.length / cells
  for (let cell = 0; cell < cells; cell++) {
    const at = cell * width
    INTERVALS.forEach(({ low, high }, k) => {
      const reach = corrections[cell * INTERVALS.length + k]! * (quantiles[at + high]! - quantiles[at + low]!)
      quantiles[at + low]! -= reach
      quantiles[at + high]! += reach
    })
    rearrange(quantiles, at, width)
  }
}
