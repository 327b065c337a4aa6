/** A figure of the means of some columns. */
export interface Statistic {
  value(means: readonly number[]): number
  /** Its slope by each mean, at these means: what one row adds to it (delta method). */
  slopes(means: readonly number[]): readonly number[]
}

/** Fewer blocks tell nothing of how far they vary. */
const FEWEST_BLOCKS = 10
/** Of the draws, those that must give a figure. */
const LEAST_SHARE = 0.9
const TAIL = 0.025

const blockLength = (n: number): number => Math.floor(Math.cbrt(n) + 0.5)

/** Whether so many rows are enough blocks for an interval. */
export const hasEnoughBlocks = (n: number, block = blockLength(n)): boolean => Math.floor(n / block) >= FEWEST_BLOCKS

/**
 * 95 % intervals of statistics of `columns` (each of n rows, in order of time) by a studentised bootstrap of circular blocks:
 * Politis and Romano, Resampling for Testing Serial Dependence, 1992; Götze and Künsch, Ann. Statist. 24, 1996. Blocks are of
 * n^(1/3) rows, or of `block`; the error of the
 * figure itself is that of the newest rows that fill blocks. Every statistic sees the same `draws`, which
 * take their starts from `next` (uniform in [0, 1)). Null if there are fewer than ten blocks, where a statistic does not
 * vary, and where more than a tenth of the draws has none.
 */
export function studentisedIntervals(
  columns: readonly Float64Array[],
  statistics: readonly Statistic[],
  next: () => number,
  { draws = 999, block = blockLength(columns[0]?.length ?? 0) }: { draws?: number; block?: number } = {},
): ([low: number, high: number] | null)[] {
  const n = columns[0]?.length ?? 0
  if (n === 0 || !hasEnoughBlocks(n, block)) return statistics.map(() => null)
  const blocks = Math.floor(n / block)
  const sums = columns.map((column) => circularSums(column, block))
  const starts = Int32Array.from({ length: blocks }, (_, b) => n - (blocks - b) * block)
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / n)
  const here = measure(sums, means, starts, block, statistics)
  const found = statistics.map(() => ({ ts: new Float64Array(draws), count: 0 }))
  for (let draw = 0; draw < draws; draw++) {
    for (let b = 0; b < blocks; b++) starts[b] = Math.floor(next() * n)
    measure(sums, meansOf(sums, starts, block), starts, block, statistics).forEach(({ value, error }, s) => {
      const t = (value - here[s]!.value) / error
      if (Number.isFinite(t)) found[s]!.ts[found[s]!.count++] = t
    })
  }
  return found.map(({ ts, count }, s) => {
    const { value, error } = here[s]!
    // What does not vary has no interval, also where rounding gives it an error.
    if (count < LEAST_SHARE * draws || !Number.isFinite(value) || !(error > 1e-12 * Math.abs(value))) return null
    const sorted = ts.subarray(0, count).sort()
    const low = Math.max(1, Math.floor((count + 1) * TAIL))
    const high = Math.min(count, Math.ceil((count + 1) * (1 - TAIL)))
    return [value - sorted[high - 1]! * error, value - sorted[low - 1]! * error]
  })
}

/** The sum of the `block` rows from each row on, the first following the last. */
function circularSums(column: Float64Array, block: number): Float64Array {
  const sums = new Float64Array(column.length)
  for (let from = 0; from < column.length; from++)
    for (let k = from; k < from + block; k++) sums[from]! += column[k < column.length ? k : k - column.length]!
  return sums
}

/** Of each column over the blocks that start at `starts`. */
const meansOf = (sums: readonly Float64Array[], starts: Int32Array, block: number): number[] =>
  sums.map((column) => {
    let sum = 0
    for (let b = 0; b < starts.length; b++) sum += column[starts[b]!]!
    return sum / (starts.length * block)
  })

/** Each statistic at `means`, and its standard error by how far what the blocks add to it varies. */
function measure(
  sums: readonly Float64Array[],
  means: readonly number[],
  starts: Int32Array,
  block: number,
  statistics: readonly Statistic[],
): { value: number; error: number }[] {
  const blocks = starts.length
  return statistics.map((statistic) => {
    const slopes = statistic.slopes(means)
    let squares = 0
    for (let b = 0; b < blocks; b++) {
      let added = 0
      for (let c = 0; c < sums.length; c++) added += slopes[c]! * (sums[c]![starts[b]!]! - block * means[c]!)
      squares += added * added
    }
    return { value: statistic.value(means), error: Math.sqrt((blocks / (blocks - 1)) * squares) / (blocks * block) }
  })
}
