import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { CandleRow } from '@shapecast/contracts/market'
import type { BacktestChartInput } from '#charts/backtest-chart/backtest-chart-data.ts'
import { formatMoneyUnit, formatPnlUnit } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'

/** What the chart draws of a run on these candles. */
export function chartInput(run: BacktestRun, candles: readonly CandleRow[]): BacktestChartInput {
  return {
    candles,
    trades: run.trades,
    openPosition: run.openPosition,
    equity: run.equityCurve,
    predictions: run.mlPredictions.map((point) => ({ t: point.aligned_ts, price: point.lstm_prediction })),
    initialBalance: run.initialBalance,
    seen: run.seen.ranges,
  }
}

/** The chart in a sentence or two, for those who cannot see it. */
export function chartSummary(run: BacktestRun, quote: string): string {
  const wins = run.trades.filter((trade) => trade.netPnL > 0).length
  const open =
    run.openPosition === null
      ? ''
      : ` A ${run.openPosition.side} position is open, ${formatPnlUnit(run.openPosition.unrealizedPnL, quote)}.`
  return (
    `${run.symbol} ${run.timeframe}, ${formatDateRange(run.startTime, run.endTime)}: ` +
    `${formatCount(run.trades.length)} trades, ${formatCount(wins)} of them profitable. ` +
    `Equity went from ${formatMoneyUnit(run.initialBalance, quote)} to ${formatMoneyUnit(run.finalBalance, quote)}, ` +
    `${formatChangePct(run.totalReturnPct)}.${open}`
  )
}

/** Mean distance to the close that came, as a ratio of it: of the model, and of saying that nothing changes. */
interface ForecastErrors {
  readonly model: number
  readonly noChange: number
}

/** Null where no forecast has a candle before it and one that came. */
export function forecastErrors(
  predictions: BacktestRun['mlPredictions'],
  rows: readonly CandleRow[],
): ForecastErrors | null {
  const closes = new Map(rows.map((row) => [row[0], row[4]]))
  let [model, noChange, count] = [0, 0, 0]
  for (const { timestamp, aligned_ts: t, lstm_prediction: said } of predictions) {
    const [before, came] = [closes.get(timestamp), closes.get(t)]
    if (before === undefined || came === undefined) continue
    model += Math.abs(said / came - 1)
    noChange += Math.abs(before / came - 1)
    count++
  }
  return count === 0 ? null : { model: model / count, noChange: noChange / count }
}
