import { NO_VARIANCE, requireRows } from './sharpe.ts'

const BLOCKS = 16
/** Two a block. */
export const FEWEST_ROWS = 2 * BLOCKS

export interface Overfitting {
  readonly trials: number
  /** Choices of half of the blocks. */
  readonly choices: number
  /** Of these, those in which the best of one half is no better than the middle of all trials in the other. */
  readonly failed: number
  /** failed / choices: the probability of backtest overfitting. To be shown; no verdict by itself. */
  readonly probability: number
  /** Mean of ln(ω / (1 − ω)), ω the rank of the chosen trial in the other half over trials + 1. */
  readonly meanLogit: number
  /** The same of the choice of the first blocks. */
  readonly firstLogit: number
}

/**
 * The probability of backtest overfitting by combinatorially symmetric cross-validation: Bailey, Borwein, López de Prado and
 * Zhu, J. Comput. Finance 20, 2017. The oldest rows that fill no block are left out; Sharpe ratios per period, 0 where
 * nothing varies; the first of equals is chosen, and the ranks of equals are averaged.
 *
 * Takes the trials' series of returns (ratios, the same `rows` periods, oldest first) one after the other and keeps two
 * numbers a block of each. `blocks` is even, 4 at least. Throws a RangeError if there are fewer than two rows a block.
 */
export function createOverfitting(rows: number, blocks = BLOCKS) {
  const size = Math.floor(rows / blocks)
  if (size < 2) throw new RangeError(`${rows} rows do not fill ${blocks} blocks.`)
  const dropped = rows - size * blocks
  /** Sum and sum of squares of each block, trial by trial. */
  const sums: Float64Array[] = []

  return {
    /** What the trials so far tell: two numbers a block of each. */
    told: sums as readonly Float64Array[],

    /** Throws a RangeError for another number of rows. */
    add(series: Float64Array): void {
      requireRows(series, rows)
      const of = new Float64Array(2 * blocks)
      for (let i = dropped; i < rows; i++) {
        const block = 2 * Math.floor((i - dropped) / size)
        of[block]! += series[i]!
        of[block + 1]! += series[i]! ** 2
      }
      sums.push(of)
    },

    /** Takes the trials that follow from what they told elsewhere. */
    join(next: readonly Float64Array[]): void {
      sums.push(...next)
    },

    /** The trials so far. Throws a RangeError if there are fewer than two. */
    result(): Overfitting {
      const trials = sums.length
      if (trials < 2) throw new RangeError('Overfitting is a matter of two trials at least.')
      const half = (size * blocks) / 2
      const [chosen, left] = [new Float64Array(trials), new Float64Array(trials)]
      let [choices, failed, total, firstLogit] = [0, 0, 0, 0]
      const count = (logit: number): void => {
        choices++
        total += logit
        if (logit <= 0) failed++
      }
      const columns = columnsOf(sums, blocks)
      const all = columns.reduce((sum, column) => addUp(new Float64Array(2 * trials), sum, column))
      forHalves(columns, (most, last) => {
        const best = rateHalves(chosen, left, most, last, all, half)
        const logit = logitOf(best.inside, left)
        if (choices === 0) firstLogit = logit
        count(logit)
        count(logitOf(best.outside, chosen))
      })
      return { trials, choices, failed, probability: failed / choices, meanLogit: total / choices, firstLogit }
    },
  }
}

/** Of each block the sum and the sum of squares of all trials, in turns. */
const columnsOf = (sums: readonly Float64Array[], blocks: number): Float64Array[] =>
  Array.from({ length: blocks }, (_, block) => {
    const column = new Float64Array(2 * sums.length)
    for (const [trial, of] of sums.entries()) column.set(of.subarray(2 * block, 2 * block + 2), 2 * trial)
    return column
  })

/**
 * Calls `visit` for each way to part the blocks in two, once, with the half that has block 0: the sums of all its blocks but
 * the last, and those of the last. In lexicographic order: halves that begin alike share the sums of their beginning.
 */
function forHalves(columns: readonly Float64Array[], visit: (most: Float64Array, last: Float64Array) => void): void {
  const half = columns.length / 2
  const sumsOf = columns.map((column) => new Float64Array(column.length))
  const go = (inside: Float64Array, taken: number, from: number): void => {
    for (let block = from; columns.length - block >= half - taken; block++)
      if (taken + 1 === half) visit(inside, columns[block]!)
      else go(addUp(sumsOf[taken]!, inside, columns[block]!), taken + 1, block + 1)
  }
  go(columns[0]!, 1, 1)
}

function addUp(into: Float64Array, a: Float64Array, b: Float64Array): Float64Array {
  for (let i = 0; i < into.length; i++) into[i] = a[i]! + b[i]!
  return into
}

/**
 * Rates each trial in one half (`most` and `last` of its blocks) and in the other of `rows` rows: the sum by its amount over the squares, which orders as the
 * Sharpe ratio does and needs no root; 0 where nothing varies. Answers the first of the best of each.
 */
function rateHalves(
  inside: Float64Array,
  outside: Float64Array,
  most: Float64Array,
  last: Float64Array,
  all: Float64Array,
  rows: number,
): { inside: number; outside: number } {
  const limit = rows * (1 - NO_VARIANCE)
  const best = { inside: 0, outside: 0 }
  for (let trial = 0; trial < inside.length; trial++) {
    const sum = most[2 * trial]! + last[2 * trial]!
    const squares = most[2 * trial + 1]! + last[2 * trial + 1]!
    const other = all[2 * trial]! - sum
    const own = (sum * Math.abs(sum)) / squares
    const rest = (other * Math.abs(other)) / (all[2 * trial + 1]! - squares)
    inside[trial] = Math.abs(own) < limit ? own : 0
    outside[trial] = Math.abs(rest) < limit ? rest : 0
    if (inside[trial]! > inside[best.inside]!) best.inside = trial
    if (outside[trial]! > outside[best.outside]!) best.outside = trial
  }
  return best
}

/** Of the rank that the trial `best` has among these ratings. */
function logitOf(best: number, ratings: Float64Array): number {
  const own = ratings[best]!
  let below = 0
  let equal = 0
  for (let trial = 0; trial < ratings.length; trial++) {
    below += Number(ratings[trial]! < own)
    equal += Number(ratings[trial] === own)
  }
  const rank = below + (equal + 1) / 2
  return Math.log(rank / (ratings.length + 1 - rank))
}
