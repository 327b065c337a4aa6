import { requireRows, squaresAboutMean } from './sharpe.ts'

/** Rows that a drawn block has in the mean. */
const MEAN_BLOCK = 10

export interface RealityCheck {
  readonly trials: number
  /** Index of the trial with the highest statistic, the first of equals, in the order of `add`; null where none varies. */
  readonly best: number | null
  /** √rows · mean / sample deviation of that one; null where none varies. */
  readonly statistic: number | null
  /** Share of draws, the search itself included, whose best of all trials without their edges does as well. */
  readonly p: number
}

/**
 * The reality check: whether the best of all trials of a search is better than the best of as many without an edge would be
 * by luck. White, A Reality Check for Data Snooping, Econometrica 68, 2000, on the studentised statistic of Hansen, J. Bus.
 * Econ. Stat. 23, 2005, each draw with its own deviation; the rows are drawn by the stationary bootstrap (Politis and
 * Romano, JASA 89, 1994), blocks of 10 in the mean, the first row following the last, and the same for all trials.
 *
 * Takes the trials' series of returns (ratios, the same `rows` periods) one after the other and keeps none: the memory does
 * not grow with the trials. Parts of a search on the same blocks see the same draws.
 */
export function createRealityCheck({ rows, from, to, firstOf }: ReturnType<typeof drawBlocks>) {
  const draws = firstOf.length - 1
  /** The best of all trials in each draw. */
  const drawn = new Float64Array(draws).fill(Number.NEGATIVE_INFINITY)
  // Sums and squares of all rows before each, so that a block costs two look-ups whatever its length.
  const before = new Float64Array(2 * (rows + 1))
  let trials = 0
  let best: number | null = null
  let statistic = Number.NEGATIVE_INFINITY

  return {
    /** Throws a RangeError for another number of rows. A series that does not vary counts, and can be no draw's best. */
    add(series: Float64Array): void {
      requireRows(series, rows)
      const mean = series.reduce((sum, value) => sum + value, 0) / rows
      const own = statisticOf(rows, mean * rows, sumSquares(series))
      if (own > statistic) {
        statistic = own
        best = trials
      }
      trials++
      if (own === Number.NEGATIVE_INFINITY) return
      sumRows(before, series, mean)
      for (let draw = 0; draw < draws; draw++) {
        let sum = 0
        let squares = 0
        const end = firstOf[draw + 1]!
        for (let block = firstOf[draw]!; block < end; block++) {
          const first = from[block]!
          const after = to[block]!
          sum += before[after]! - before[first]!
          squares += before[after + 1]! - before[first + 1]!
        }
        const value = statisticOf(rows, sum, squares)
        if (value > drawn[draw]!) drawn[draw] = value
      }
    },

    /** The best statistic of each draw, of the trials so far. */
    drawn: drawn as Readonly<Float64Array>,

    /** The trials so far. */
    result: (): RealityCheck => checkOf(trials, best, statistic, drawn),
  }
}

function checkOf(trials: number, best: number | null, statistic: number, drawn: Float64Array): RealityCheck {
  const asGood = best === null ? drawn.length : drawn.reduce((count, value) => count + (value >= statistic ? 1 : 0), 0)
  return { trials, best, statistic: best === null ? null : statistic, p: (1 + asGood) / (drawn.length + 1) }
}

/** What one part of a search found. */
export interface RealityCheckPart extends Omit<RealityCheck, 'p'> {
  /** The best statistic of each draw. */
  readonly drawn: Readonly<Float64Array>
}

/** The check of a whole search from its parts, in their order, which saw the same draws: the same bits as in one piece. */
export function joinRealityChecks(parts: readonly RealityCheckPart[]): RealityCheck {
  const drawn = parts[0]!.drawn.slice()
  let trials = 0
  let best: number | null = null
  let statistic = Number.NEGATIVE_INFINITY
  for (const part of parts) {
    for (let draw = 0; draw < drawn.length; draw++) drawn[draw] = Math.max(drawn[draw]!, part.drawn[draw]!)
    if (part.best !== null && part.statistic! > statistic) {
      statistic = part.statistic!
      best = trials + part.best
    }
    trials += part.trials
  }
  return checkOf(trials, best, statistic, drawn)
}

/** √rows · mean / sample deviation; −∞ without variance. */
function statisticOf(rows: number, sum: number, squares: number): number {
  const about = squaresAboutMean(rows, sum, squares)
  return about === 0 ? Number.NEGATIVE_INFINITY : sum / Math.sqrt((about / (rows - 1)) * rows)
}

const sumSquares = (series: Float64Array): number => series.reduce((sum, value) => sum + value * value, 0)

/** Sums of the values without their mean, and of the squares of these, of all rows before each, in turns. */
function sumRows(before: Float64Array, series: Float64Array, mean: number): void {
  for (let row = 0; row < series.length; row++) {
    const value = series[row]! - mean
    before[2 * row + 2] = before[2 * row]! + value
    before[2 * row + 3] = before[2 * row + 1]! + value * value
  }
}

/**
 * The blocks of all draws: places in `before` of each one's first row and of the row after it; the first block of each draw.
 * `next` is uniform in [0, 1).
 */
export function drawBlocks(rows: number, next: () => number, draws: number) {
  const from: number[] = []
  const to: number[] = []
  const firstOf = new Int32Array(draws + 1)
  for (let draw = 0; draw < draws; draw++) {
    let row = Math.floor(next() * rows)
    from.push(2 * row)
    for (let i = 1; i < rows; i++) {
      const follows = row + 1
      if (next() < 1 / MEAN_BLOCK) row = Math.floor(next() * rows)
      else row = follows === rows ? 0 : follows
      if (row === follows) continue
      to.push(2 * follows)
      from.push(2 * row)
    }
    to.push(2 * (row + 1))
    firstOf[draw + 1] = from.length
  }
  return { rows, from: Int32Array.from(from), to: Int32Array.from(to), firstOf }
}
