import { requireRows, squaresAboutMean } from './sharpe.ts'

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
 * numbers a block of each. `blocks` is even. Throws a RangeError if there are fewer than two rows a block.
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
      const chosen = new Float64Array(trials)
      const left = new Float64Array(trials)
      let [choices, failed, total, firstLogit] = [0, 0, 0, 0]
      const count = (logit: number): void => {
        choices++
        total += logit
        if (logit <= 0) failed++
      }
      for (const [inside, outside] of halvesOf(blocks)) {
        sharpes(chosen, sums, inside, half)
        sharpes(left, sums, outside, half)
        const logit = logitOf(chosen, left)
        if (choices === 0) firstLogit = logit
        count(logit)
        count(logitOf(left, chosen))
      }
      return { trials, choices, failed, probability: failed / choices, meanLogit: total / choices, firstLogit }
    },
  }
}

/** Each way to part the blocks in two halves, once; the first one has block 0, in lexicographic order. */
function* halvesOf(blocks: number): Generator<[inside: number[], outside: number[]]> {
  const inside = Array.from({ length: blocks / 2 }, (_, k) => k)
  while (inside[0] === 0) {
    yield [inside, Array.from({ length: blocks }, (_, k) => k).filter((k) => !inside.includes(k))]
    let last = inside.length - 1
    while (last > 0 && inside[last] === blocks / 2 + last) last--
    inside[last]!++
    for (let k = last + 1; k < inside.length; k++) inside[k] = inside[k - 1]! + 1
  }
}

/** Fills in the Sharpe ratio of each trial over some blocks of `rows` rows together. */
function sharpes(into: Float64Array, sums: readonly Float64Array[], blocks: readonly number[], rows: number): void {
  for (let trial = 0; trial < into.length; trial++) {
    const of = sums[trial]!
    let sum = 0
    let squares = 0
    for (let k = 0; k < blocks.length; k++) {
      sum += of[2 * blocks[k]!]!
      squares += of[2 * blocks[k]! + 1]!
    }
    const about = squaresAboutMean(rows, sum, squares)
    into[trial] = about === 0 ? 0 : sum / rows / Math.sqrt(about / (rows - 1))
  }
}

/** Of the rank that the best of one half has in the other. */
function logitOf(inside: Float64Array, outside: Float64Array): number {
  let best = 0
  for (let trial = 1; trial < inside.length; trial++) if (inside[trial]! > inside[best]!) best = trial
  const own = outside[best]!
  let below = 0
  let equal = 0
  for (let trial = 0; trial < outside.length; trial++) {
    if (outside[trial]! < own) below++
    else if (outside[trial] === own) equal++
  }
  const rank = below + (equal + 1) / 2
  return Math.log(rank / (outside.length + 1 - rank))
}
