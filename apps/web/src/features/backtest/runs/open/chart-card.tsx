import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { CandleRow, Market } from '@shapecast/contracts/market'
import { useMemo } from 'react'
import { BacktestChart } from '#charts/backtest-chart/backtest-chart.tsx'
import type { BacktestChartInput } from '#charts/backtest-chart/backtest-chart-data.ts'
import { BACKTEST_LEGEND, ChartLegend } from '#charts/backtest-chart/chart-legend.tsx'
import { ChangeChip } from '#entities/markets/trading-chips.tsx'
import { useRunCandles } from '#entities/runs/run-candles.ts'
import { formatMoneyUnit, formatPnlUnit } from '#kit/format/money.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatErrorRatio } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'
import { useHealth } from '#wire/calls/use-health.ts'
import { OHLCV_FAILED } from '../../run/use-backtest-job.ts'
import { assetsOf } from '../../run/use-parameters.ts'
import { unseenMetrics } from '../run-summary.ts'

/** Why the stored candles of the present market are not those of the run; null where they are. */
function otherCandles(run: BacktestRun, venue: string | undefined): string | null {
  if (run.meta.candlesFrom === 'request')
    return 'This run was made on candles that came with its request. They are not stored.'
  if (venue !== undefined && venue !== run.venue)
    return `This run was made on candles of ${run.venue}; the market is now ${venue}.`
  return null
}

const NO_CANDLES = 'No candles are stored for the range of this run.'

/** Chart, legend and the run's three main figures. */
export function ChartCard({
  run,
  market,
  lookAt,
}: {
  run: BacktestRun
  market: Market | undefined
  lookAt: { readonly fromMs: number; readonly toMs: number } | null
}) {
  const { quote } = assetsOf(run.symbol, market)
  const other = otherCandles(run, useHealth().data?.venue)
  const candles = useRunCandles(run, other === null)
  const rows = candles.data?.rows
  const input = useMemo(() => (rows === undefined || rows.length === 0 ? null : chartInput(run, rows)), [run, rows])
  const meanError = useMemo(() => (rows === undefined ? null : forecastErrors(run.mlPredictions, rows)), [run, rows])
  const unseen = unseenMetrics(run)
  const coarser = candles.data !== undefined && candles.data.timeframe !== run.timeframe
  return (
    <Card
      title="Chart"
      facts={
        input && (
          <div style={{ paddingBlock: 6 }}>
            <ChartLegend items={BACKTEST_LEGEND} />
          </div>
        )
      }
      actions={
        <>
          {coarser && input !== null && <Chip label={`drawn in ${candles.data.timeframe}`} tone="outline" />}
          <Chip label={formatCounted(run.metrics.trades, 'trade')} />
          <Chip label={formatMoneyUnit(run.finalBalance, quote)} title="Equity at the end" />
          {run.seenRatio > 0 ? (
            <Chip label={formatChangePct(run.totalReturnPct)} title="Return of the whole range" />
          ) : (
            <ChangeChip pct={run.totalReturnPct} />
          )}
          {unseen !== null && (
            <div style={{ display: 'flex' }} title="Return of the unseen part">
              <ChangeChip pct={unseen.totalReturnPct} of="unseen" />
            </div>
          )}
        </>
      }
    >
      {input !== null ? (
        <>
          <BacktestChart
            input={input}
            tickSize={market?.tickSize}
            quote={quote}
            summary={chartSummary(run, quote)}
            lookAt={lookAt}
          />
          {meanError !== null && (
            <Note as="p" above={1}>
              Each blue segment starts at the close where it was made and ends at the predicted next close. Mean error{' '}
              {formatErrorRatio(meanError.model)}; saying ‘no change’ errs by {formatErrorRatio(meanError.noChange)}.
            </Note>
          )}
        </>
      ) : other !== null ? (
        <ChartUnavailable reason={other} candles={null} />
      ) : candles.isPending ? (
        <SkeletonGroup label="Loading the chart" height={480} />
      ) : (
        <ChartUnavailable
          reason={candles.isError ? `${OHLCV_FAILED}. ${candles.error.message}` : NO_CANDLES}
          candles={candles}
        />
      )}
    </Card>
  )
}

/** In the place of the chart: why there is none, and a way to try again where that may help. */
function ChartUnavailable({
  reason,
  candles,
}: {
  reason: string
  /** null where loading them again cannot help. */
  candles: ReturnType<typeof useRunCandles> | null
}) {
  return (
    <div style={{ paddingBlock: 24 }}>
      <Text weight={500}>Chart unavailable</Text>
      <Text size="small" tone="text2" above={0.5} style={{ maxWidth: 560 }}>
        {reason}
      </Text>
      {candles !== null && (
        <Button
          size="small"
          style={{ marginTop: 12 }}
          {...busyButton(candles.isFetching, () => void candles.refetch())}
        >
          {candles.isFetching ? 'Loading…' : 'Load Data'}
        </Button>
      )}
    </div>
  )
}

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

/**
 * Mean distance to the close that came, as a ratio of it: of the model, and of saying that nothing changes. Null where no
 * forecast has a candle before it and one that came.
 */
export function forecastErrors(predictions: BacktestRun['mlPredictions'], rows: readonly CandleRow[]) {
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
