import type { Uncertainty } from '@shapecast/contracts/backtest'
import { candlesPerYear } from '@shapecast/contracts/timeframes'
import type { BacktestResult } from './backtest-result.ts'
import type { Candles } from './candles.ts'
import { createRandom } from './random.ts'

/** More blocks cost time and tell no more. */
const MOST_BLOCKS = 1000

/**
 * 95 % interval of what the winning trades earned over what the losing ones lost, in 1,000 draws of as many trades with
 * replacement (percentile bootstrap: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13); of more than
 * 1,000 trades blocks of neighbours are drawn. `results` are net, in quote. The same seed gives the same interval. A high
 * end of null: a draw may hold no losing trade. Null with fewer than two trades, and where most draws hold none.
 */
export function bootstrapProfitFactor(
  results: Float64Array,
  seed: number,
  draws = 1000,
): [low: number, high: number | null] | null {
  const count = results.length
  if (count < 2) return null
  const block = Math.ceil(count / MOST_BLOCKS)
  // What each block won and lost, beside one another: a draw adds both, without a question that the processor must guess.
  const starts = count - block + 1
  const sums = new Float64Array(2 * starts)
  for (let from = 0; from < starts; from++)
    for (let k = from; k < from + block; k++) sums[results[k]! > 0 ? 2 * from : 2 * from + 1]! += Math.abs(results[k]!)
  const random = createRandom(seed)
  const drawn = new Int32Array(Math.round(count / block))
  const factors = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    random.fillBelow(drawn, starts)
    let won = 0
    let lost = 0
    for (let k = 0; k < drawn.length; k++) {
      won += sums[2 * drawn[k]!]!
      lost += sums[2 * drawn[k]! + 1]!
    }
    factors[draw] = lost === 0 ? Number.POSITIVE_INFINITY : won / lost
  }
  const [low, high] = middle95(factors)
  return Number.isFinite(low) ? [low, Number.isFinite(high) ? high : null] : null
}

export interface EquityBootstrap {
  readonly totalReturnPct: readonly [low: number, high: number]
  /** Mean over deviation of the changes, a candle. */
  readonly ratio: readonly [low: number, high: number]
}

/** A day of hourly candles: what happens within one hangs together. */
const LEAST_BLOCK = 24

/**
 * Draws a curve of as many candles again from blocks of neighbouring ones (moving block bootstrap: Künsch, Ann. Statist.
 * 17, 1989), so that what hangs together stays together. `changes` are those of the equity, candle by candle, as ratios
 * above −1. The middle 95 % of the draws. Null with fewer than two blocks, and where all was lost.
 */
export function bootstrapEquity(changes: Float64Array, seed: number, draws = 1000): EquityBootstrap | null {
  const count = changes.length
  const block = Math.max(LEAST_BLOCK, Math.ceil(count / MOST_BLOCKS))
  if (count < 2 * block || changes.some((change) => change <= -1)) return null
  // Sums up to each candle, so that those of a block cost two look-ups.
  const logs = new Float64Array(count + 1)
  const sums = new Float64Array(count + 1)
  const squares = new Float64Array(count + 1)
  changes.forEach((change, i) => {
    logs[i + 1] = logs[i]! + Math.log1p(change)
    sums[i + 1] = sums[i]! + change
    squares[i + 1] = squares[i]! + change * change
  })
  // Each block by its first candle: its sums beside one another, because a draw looks them up at random.
  const starts = count - block + 1
  const sumsOf = new Float64Array(3 * starts)
  for (let from = 0; from < starts; from++) {
    sumsOf[3 * from] = logs[from + block]! - logs[from]!
    sumsOf[3 * from + 1] = sums[from + block]! - sums[from]!
    sumsOf[3 * from + 2] = squares[from + block]! - squares[from]!
  }
  const random = createRandom(seed)
  const blocks = Math.round(count / block)
  const length = blocks * block
  const drawn = new Int32Array(blocks)
  const returns = new Float64Array(draws)
  const ratios = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    random.fillBelow(drawn, starts)
    let [log, sum, square] = [0, 0, 0]
    for (let k = 0; k < blocks; k++) {
      const at = 3 * drawn[k]!
      log += sumsOf[at]!
      sum += sumsOf[at + 1]!
      square += sumsOf[at + 2]!
    }
    const variance = (square - (sum * sum) / length) / (length - 1)
    returns[draw] = 100 * Math.expm1((log * count) / length)
    ratios[draw] = variance > 0 ? sum / length / Math.sqrt(variance) : 0
  }
  return { totalReturnPct: middle95(returns), ratio: middle95(ratios) }
}

/**
 * 95 % interval of a figure that is made of sums over candles, by the same moving blocks as `bootstrapEquity`: each draw
 * hands `figure` the sums of `columns` over as many candles as there are. Null with fewer than two blocks, and where the
 * figure of a draw is not a number.
 */
export function bootstrapSums(
  columns: readonly Float64Array[],
  figure: (sums: Float64Array) => number,
  seed: number,
  draws = 1000,
): [low: number, high: number] | null {
  const count = columns[0]?.length ?? 0
  if (count < 2 * LEAST_BLOCK) return null
  const starts = count - LEAST_BLOCK + 1
  const blockSums = columns.map((column) => {
    const sums = new Float64Array(starts)
    for (let from = 0; from < starts; from++) for (let i = from; i < from + LEAST_BLOCK; i++) sums[from]! += column[i]!
    return sums
  })
  const random = createRandom(seed)
  const blocks = Math.round(count / LEAST_BLOCK)
  const scale = count / (blocks * LEAST_BLOCK)
  const figures = new Float64Array(draws)
  const sums = new Float64Array(columns.length)
  for (let draw = 0; draw < draws; draw++) {
    sums.fill(0)
    for (let k = 0; k < blocks; k++) {
      const at = random.below(starts)
      blockSums.forEach((ofBlock, c) => {
        sums[c]! += scale * ofBlock[at]!
      })
    }
    figures[draw] = figure(sums)
  }
  if (figures.some((value) => !Number.isFinite(value))) return null
  return middle95(figures)
}

/** With fewer trades nothing can be told, whatever they earned. */
const FEWEST_TRADES = 30
const SEED = 1

/**
 * 95 % intervals of the figures of candles `from` (included) to `to` (left out) of a run: the return and sharpeLike by
 * drawing its equity again, the profit factor by drawing the trades that were entered there. Same run, same intervals.
 */
export function uncertaintyOfRange(result: BacktestResult, candles: Candles, from: number, to: number): Uncertainty {
  const { equity, settings } = result
  const untilTs = to < candles.length ? candles.ts[to]! : Number.POSITIVE_INFINITY
  const trades = result.trades.filter(({ entryTime }) => entryTime >= candles.ts[from]! && entryTime < untilTs)
  const start = from === 0 ? settings.initialBalance : equity[from - 1]!
  const changes = Float64Array.from({ length: to - from }, (_, i) => {
    const before = i === 0 ? start : equity[from + i - 1]!
    return before === 0 ? -1 : equity[from + i]! / before - 1
  })
  const curve = bootstrapEquity(changes, SEED)
  const scale = Math.sqrt(candlesPerYear(settings.timeframe))
  const holdsZero = curve === null || (curve.totalReturnPct[0] <= 0 && curve.totalReturnPct[1] >= 0)
  return {
    totalReturnPct: curve === null ? null : [...curve.totalReturnPct],
    profitFactor: bootstrapProfitFactor(
      Float64Array.from(trades, ({ netPnL }) => netPnL),
      SEED,
    ),
    sharpeLike: curve === null ? null : [curve.ratio[0] * scale, curve.ratio[1] * scale],
    tooFewToTell: trades.length < FEWEST_TRADES || holdsZero,
  }
}

/** Sorts the figures of all draws. */
function middle95(figures: Float64Array): [low: number, high: number] {
  figures.sort()
  return [quantileOf(figures, 0.025), quantileOf(figures, 0.975)]
}

/** Quantile of sorted values, linear between neighbours (type 7 of Hyndman and Fan, 1996). */
function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!)
}
