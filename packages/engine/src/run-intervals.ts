import type { RunIntervals } from '@shapecast/contracts/backtest-results'
import { candlesPerYear } from '@shapecast/contracts/timeframes'
import type { BacktestResult } from './backtest-result.ts'
import { type Candles, dailyCloses, sliceCandles } from './candles.ts'
import { metricsOfRange } from './metrics.ts'
import { createRandom } from './random.ts'
import { autocorrelation, countSigns, resultIntervals, sharpeOf, whyNoInterval } from './result-intervals.ts'

type Ends = [low: number, high: number]

const SEED = 1
const MOST_AUTOCORRELATION = 0.4

/**
 * 95 % intervals of the figures of candles `from` (included) to `to` (left out) of a run, with the verdict that they give. By
 * the trades that were entered there; of a policy that holds a share by its daily returns, between the first closes of UTC
 * days. Same run, same intervals. What stands outside the trades or days (a position that is open, a begun day) is added as
 * it is. Formulas: docs/backtest.md.
 */
export function intervalsOfRange(result: BacktestResult, candles: Candles, from: number, to: number): RunIntervals {
  const { totalReturnPct } = metricsOfRange(result, candles, from, to)
  const years = (to - from) / candlesPerYear(result.settings.timeframe)
  const holdsShare = result.settings.targetBand !== undefined
  const results = holdsShare ? daysOf(result, candles, from, to) : tradesOf(result, candles, from, to)
  const found = resultIntervals(results, createRandom(SEED).next)
  const total = holdsShare
    ? grown(totalReturnPct, results)
    : added(totalReturnPct, results, found.mean, startOf(result, from))
  const correlation = autocorrelation(results)
  return {
    unit: holdsShare ? 'day' : 'trade',
    units: results.length,
    ...countSigns(results),
    autocorrelation: correlation,
    isTooNarrow: correlation !== null && correlation > MOST_AUTOCORRELATION,
    totalReturnPct: total,
    // A policy trades by small changes of one position: its days say nothing of the profit factor of its trades.
    profitFactor: holdsShare ? null : exponential(found.logProfitFactor),
    sharpe: found.sharpe === null ? null : yearlySharpe(results, found.sharpe, years),
    verdict: whyNoInterval(results) ?? verdictOf(total),
  }
}

/** The verdict on a return, of its interval to the tenth of a percent that is shown. */
function verdictOf(interval: Ends | null): RunIntervals['verdict'] {
  if (interval === null) return 'unsteady'
  const [low, high] = interval
  if (Math.round(10 * high) <= 0) return 'lost_beyond_chance'
  return Math.round(10 * low) > 0 ? 'gained_beyond_chance' : 'may_be_luck'
}

const startOf = ({ equity, settings }: BacktestResult, from: number): number =>
  from === 0 ? settings.initialBalance : equity[from - 1]!

/** Net results in quote, in the order of the exits. */
function tradesOf({ trades }: BacktestResult, { ts, length }: Candles, from: number, to: number): Float64Array {
  const untilTs = to < length ? ts[to]! : Number.POSITIVE_INFINITY
  const within = trades.filter(({ entryTime }) => entryTime >= ts[from]! && entryTime < untilTs)
  return Float64Array.from(within, ({ netPnL }) => netPnL)
}

/** Returns from one first close of a UTC day to the next, ratios; none where nothing is left. */
function daysOf({ equity, settings }: BacktestResult, candles: Candles, from: number, to: number): Float64Array {
  const closes = dailyCloses(sliceCandles(candles, from, to), settings.timeframe).map((i) => equity[from + i]!)
  if (closes.some((value) => !(value > 0))) return new Float64Array(0)
  return Float64Array.from(closes.slice(1), (value, day) => value / closes[day]! - 1)
}

/** By n × the mean result in percent of what the range began with. A loss ends at 100 percent. */
function added(pct: number, results: Float64Array, interval: Ends | null, start: number): Ends | null {
  if (interval === null || !(start > 0)) return null
  const mean = meanOf(results)
  const [low, high] = interval.map((end) => pct + (100 * results.length * (end - mean)) / start) as [number, number]
  return [Math.max(-100, low), Math.max(-100, high)]
}

/** By n × the mean of the logarithms of growth. */
function grown(pct: number, returns: Float64Array): Ends | null {
  const logs = returns.map(Math.log1p)
  const { mean: interval } = resultIntervals(logs, createRandom(SEED).next)
  if (interval === null) return null
  const mean = meanOf(logs)
  return interval.map((end) => 100 * ((1 + pct / 100) * Math.exp(logs.length * (end - mean)) - 1)) as [number, number]
}

/** Mean over deviation of the results, for as many of them as a year has, with its interval. */
function yearlySharpe(results: Float64Array, interval: Ends, years: number): NonNullable<RunIntervals['sharpe']> {
  const scale = Math.sqrt(results.length / years)
  return { value: scale * sharpeOf(results), interval: [scale * interval[0], scale * interval[1]] }
}

const exponential = (interval: Ends | null): Ends | null =>
  interval === null ? null : [Math.exp(interval[0]), Math.exp(interval[1])]

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
