import type { Metrics } from '@shapecast/contracts/backtest-results'
import { candlesPerYear } from '@shapecast/contracts/timeframes'
import type { BacktestResult, OpenPosition } from './backtest-result.ts'
import type { Candles } from './candles.ts'
import { drawdownPct } from './indicators/drawdown.ts'
import type { EngineTrade } from './journal.ts'

/** Metrics of a whole run. Definitions: docs/backtest.md. `candles` are those of the run. */
export const metricsOf = (result: BacktestResult, candles: Candles): Metrics =>
  metricsOfRange(result, candles, 0, candles.length)

/**
 * Metrics of the candles `from` (included) to `to` (left out) of a run by themselves. A trade belongs to the part in
 * which it was entered, with all its profit, loss and costs, so that money adds up over the parts of a run; the
 * return, the drawdown and sharpeLike follow the equity from the close before `from` to the close of `to` − 1.
 * Undefined values are null; the return of a part that starts with nothing left is 0. Throws a RangeError where the range is empty or reaches beyond the run.
 */
export function metricsOfRange(result: BacktestResult, candles: Candles, from: number, to: number): Metrics {
  const { equity, settings } = result
  if (!(from >= 0 && from < to && to <= equity.length && equity.length === candles.length))
    throw new RangeError(`Candles ${from} to ${to} are no range of a run of ${equity.length}.`)

  const fromTs = candles.ts[from]!
  const untilTs = to < candles.length ? candles.ts[to]! : Number.POSITIVE_INFINITY
  const { trades, wins, won, lost, tradesNet, ...money } = moneyOf(result, fromTs, untilTs)
  const start = from === 0 ? settings.initialBalance : equity[from - 1]!
  // No position can be open on the first candle of a run, so its return says nothing.
  const first = from === 0 ? 1 : from
  const { ratio, deepest } = pathOf(equity, first, to, start)
  return {
    trades,
    winRate: trades === 0 ? null : (100 * wins) / trades,
    profitFactor: lost === 0 ? null : won / lost,
    maxDrawdownPct: deepest,
    sharpeLike: ratio === null ? null : ratio * Math.sqrt(candlesPerYear(settings.timeframe)),
    avgTradePnL: trades === 0 ? null : tradesNet / trades,
    totalReturnPct: start === 0 ? 0 : 100 * (equity[to - 1]! / start - 1),
    ...money,
    netPnL: money.grossPnL - money.fees - money.slippageCost + money.funding,
    buyAndHoldReturnPct: 100 * (candles.close[to - 1]! / candles.open[from]! - 1),
  }
}

/** Sums over the trades entered from `fromTs` to before `untilTs`; an open position counts for money, not as a trade. */
function moneyOf({ trades, openPositions }: BacktestResult, fromTs: number, untilTs: number) {
  const sum = { trades: 0, wins: 0, won: 0, lost: 0, tradesNet: 0, grossPnL: 0, fees: 0, slippageCost: 0, funding: 0 }
  const add = (one: EngineTrade | OpenPosition): boolean => {
    if (one.entryTime < fromTs || one.entryTime >= untilTs) return false
    sum.grossPnL += one.grossPnL
    sum.fees += one.fees
    sum.slippageCost += one.slippageCost
    sum.funding += one.funding
    return true
  }
  for (const trade of trades) {
    if (!add(trade)) continue
    sum.trades++
    sum.tradesNet += trade.netPnL
    if (trade.netPnL > 0) {
      sum.wins++
      sum.won += trade.netPnL
    } else sum.lost -= trade.netPnL
  }
  for (const position of openPositions) add(position)
  return sum
}

/**
 * Of the equity from `first` to before `to`, after `start`: mean over sample deviation of its returns, null where they do not
 * vary, and the deepest fall as `maxDrawdownPct` has it. Both in one pass, which waits for the division of the returns alone.
 */
function pathOf(equity: Float64Array, first: number, to: number, start: number) {
  let previous = start
  let sum = 0
  let squares = 0
  let peak = start
  let deepest = 0
  // What is left of the peak at the deepest, rounding included.
  let left = 1
  for (let i = first; i < to; i++) {
    const value = equity[i]!
    const change = value / previous - 1
    sum += change
    squares += change * change
    previous = value
    if (value > peak) peak = value
    else if (value < peak * left) {
      deepest = Math.max(deepest, drawdownPct(value, peak))
      left = 1 - deepest / 100 + 1e-13
    }
  }
  const count = to - first
  const mean = sum / count
  const variance = (squares - sum * mean) / (count - 1)
  const ratio = count > 1 && Number.isFinite(variance) && variance > 0 ? mean / Math.sqrt(variance) : null
  return { ratio, deepest }
}
