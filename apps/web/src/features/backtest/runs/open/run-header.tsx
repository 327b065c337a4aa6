import type { BacktestRun } from '@shapecast/contracts/backtest'
import { FlaskConical } from 'lucide-react'
import { runName } from '#entities/runs/run-words.ts'
import { formatCount, formatFixed, formatRatio } from '#kit/format/number.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'

/** Whose run it is, and its facts. */
export function RunHeader({ run }: { run: BacktestRun }) {
  return (
    <Row wrap gap={1.75} lineGap={1} style={{ order: -1 }}>
      <Text breaks size="h1">
        {runName(run)}
      </Text>
      <Row as="ul" gap={0.75} wrap align="stretch" aria-label="Run" className={layout.list}>
        {run.market === 'simulated' && (
          <li>
            <Chip label="Simulated market" tone="warn" icon={<FlaskConical />} />
          </li>
        )}
        {runChips(run).map((text) => (
          <li key={text}>
            <Chip label={text} />
          </li>
        ))}
      </Row>
    </Row>
  )
}

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
