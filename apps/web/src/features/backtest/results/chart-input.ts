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
