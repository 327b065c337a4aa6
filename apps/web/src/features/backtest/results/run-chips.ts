import type { BacktestRun } from '@shapecast/contracts/backtest'
import { formatCount, formatFixed, formatRatio } from '#kit/format/number.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'

/** The facts of a run in chips: what was tested, when, and what came out over the whole range. */
export function runChips(
  run: Pick<
    BacktestRun,
    'params' | 'symbol' | 'symbols' | 'startTime' | 'endTime' | 'timeframe' | 'candles' | 'metrics'
  >,
) {
  const { metrics } = run
  return [
    ...(run.params.botName === '' ? [] : [run.params.botName]),
    run.symbols?.join(', ') ?? run.symbol,
    `${formatDateRange(run.startTime, run.endTime)} · ${run.timeframe}`,
    `${formatCount(run.candles)} ${run.candles === 1 ? 'candle' : 'candles'}`,
    `${formatCount(metrics.trades)} ${metrics.trades === 1 ? 'trade' : 'trades'}`,
    `Win rate ${formatSharePct(metrics.winRate)}`,
    `Profit factor ${formatRatio(metrics.profitFactor)}`,
    `Max drawdown ${formatFixed(-metrics.maxDrawdownPct, 1)}%`,
  ]
}
