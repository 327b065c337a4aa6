import type { Uncertainty } from '@shapecast/contracts/backtest'
import { candlesPerYear } from '@shapecast/contracts/timeframes'
import type { BacktestResult } from './backtest-result.ts'
import type { Candles } from './candles.ts'
import type { EngineTrade } from './journal.ts'
import { createRandom } from './random.ts'

/** How far results of the same trades in another draw reach; amounts in quote. */
export interface TradeBootstrap {
  readonly draws: number
  /** Range of the average net result a trade within which the middle `levelPct` percent of the draws fall. */
  readonly avgTradePnL: readonly [low: number, high: number]
  /** The same for the net result of all trades together. */
  readonly netPnL: readonly [low: number, high: number]
  /** The same for what the winning trades earned over what the losing ones lost; null where a draw has no losing trade. */
  readonly profitFactor: readonly [low: number | null, high: number | null]
  /** Share of the draws, 0–1, that lose money. */
  readonly lossRatio: number
}

/**
 * Draws as many trades as there are, with replacement, `draws` times (percentile bootstrap: Efron and Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapter 13). The same seed gives the same result. Null with fewer than two
 * trades. Trades are taken as independent of one another.
 */
export function bootstrapTrades(
  trades: readonly Pick<EngineTrade, 'netPnL'>[],
  seed: number,
  { draws = 2000, levelPct = 90 } = {},
): TradeBootstrap | null {
  const count = trades.length
  if (count < 2) return null
  const random = createRandom(seed)
  const results = Float64Array.from(trades, (trade) => trade.netPnL)
  const totals = new Float64Array(draws)
  const factors = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    let won = 0
    let lost = 0
    for (let k = 0; k < count; k++) {
      const result = results[random.below(count)]!
      if (result > 0) won += result
      else lost -= result
    }
    totals[draw] = won - lost
    factors[draw] = lost === 0 ? Number.POSITIVE_INFINITY : won / lost
  }
  totals.sort()
  factors.sort()
  const tail = (1 - levelPct / 100) / 2
  const low = quantileOf(totals, tail)
  const high = quantileOf(totals, 1 - tail)
  return {
    draws,
    avgTradePnL: [low / count, high / count],
    netPnL: [low, high],
    profitFactor: [finiteOrNull(quantileOf(factors, tail)), finiteOrNull(quantileOf(factors, 1 - tail))],
    lossRatio: totals.filter((total) => total < 0).length / draws,
  }
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

export interface EquityBootstrap {
  readonly totalReturnPct: readonly [low: number, high: number]
  /** Mean over deviation of the changes, a candle. */
  readonly ratio: readonly [low: number, high: number]
}

/** A day of hourly candles: what happens within one hangs together. */
const LEAST_BLOCK = 24
const MOST_BLOCKS = 2000

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
  const drawn = blocks * block
  const returns = new Float64Array(draws)
  const ratios = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    let [log, sum, square] = [0, 0, 0]
    for (let k = 0; k < blocks; k++) {
      const at = 3 * random.below(starts)
      log += sumsOf[at]!
      sum += sumsOf[at + 1]!
      square += sumsOf[at + 2]!
    }
    const variance = (square - (sum * sum) / drawn) / (drawn - 1)
    returns[draw] = 100 * Math.expm1((log * count) / drawn)
    ratios[draw] = variance > 0 ? sum / drawn / Math.sqrt(variance) : 0
  }
  returns.sort()
  ratios.sort()
  const ends = (sorted: Float64Array): [number, number] => [quantileOf(sorted, 0.025), quantileOf(sorted, 0.975)]
  return { totalReturnPct: ends(returns), ratio: ends(ratios) }
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
  figures.sort()
  return [quantileOf(figures, 0.025), quantileOf(figures, 0.975)]
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
  const factor = bootstrapTrades(trades, SEED, { levelPct: 95 })?.profitFactor
  const scale = Math.sqrt(candlesPerYear(settings.timeframe))
  const holdsZero = curve === null || (curve.totalReturnPct[0] <= 0 && curve.totalReturnPct[1] >= 0)
  return {
    totalReturnPct: curve === null ? null : [...curve.totalReturnPct],
    profitFactor: factor === undefined || factor[0] === null ? null : [factor[0], factor[1]],
    sharpeLike: curve === null ? null : [curve.ratio[0] * scale, curve.ratio[1] * scale],
    tooFewToTell: trades.length < FEWEST_TRADES || holdsZero,
  }
}

/** Quantile of sorted values, linear between neighbours (type 7 of Hyndman and Fan, 1996). */
function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1)
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!)
}
