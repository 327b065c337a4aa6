import type { BacktestRun } from '@shapecast/contracts/backtest'
import { ApiError } from '@shapecast/contracts/client'
import { runName } from '@shapecast/contracts/run-name'
import type { UseQueryResult } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { EntriesVerdict } from '#charts/entries-verdict.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { formatCount, formatFixed, formatRatio } from '#kit/format/number.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { assetsOf } from '../../run/options.ts'
import { ResultsSkeleton } from '../../run/skeletons.tsx'
import { BalanceCard } from './balance-card.tsx'
import { ChartCard } from './chart-card.tsx'
import css from './opened-run.module.css'
import { PeriodsCard } from './periods-card.tsx'
import { RunNotesList } from './run-notes.tsx'
import { SeenNotice } from './seen-notice.tsx'
import { SharpeCard } from './sharpe-card.tsx'
import { TradesCard } from './trades-card.tsx'

/** Whose run it is, and its facts. */
function RunHeader({ run }: { run: BacktestRun }) {
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

/** Whether the address names what cannot be a run: the server says that to programs. */
const isNoId = (error: Error) => error instanceof ApiError && error.status === 400

/** The run of the address: on its way, here, or not to be had. */
export function OpenedRun({
  run,
  nextStep,
  onClose,
}: {
  run: UseQueryResult<BacktestRun, Error>
  /** What to run next, where there is something better. */
  nextStep: ReactNode
  onClose: () => void
}) {
  if (run.data !== undefined) return <Results run={run.data} nextStep={nextStep} />
  if (!run.isError) return <ResultsSkeleton />
  return (
    <Banner kind="error" title="This run could not be loaded" onDismiss={onClose} action={<RetryButton reply={run} />}>
      {isNoId(run.error) ? 'This run does not exist.' : run.error.message} Open another one from Saved Runs, or run a
      new backtest.
    </Banner>
  )
}

/** One run, from what it was to its last trade. */
function Results({ run, nextStep }: { run: BacktestRun; nextStep: ReactNode }) {
  const market = useMarketOf(run.symbol)
  const [lookAt, setLookAt] = useState<{ fromMs: number; toMs: number } | null>(null)
  const { quote } = assetsOf(run.symbol, market)
  return (
    <>
      <RunHeader run={run} />
      <SeenNotice run={run} nextStep={nextStep} />
      {run.randomEntries !== undefined && <EntriesVerdict entries={run.randomEntries} />}
      <RunNotesList run={run} />
      <ChartCard run={run} market={market} lookAt={lookAt} />
      <div className={`${layout.pageColumn} ${css.cards}`}>
        <BalanceCard run={run} market={market} />
        <SharpeCard run={run} quote={quote} />
      </div>
      <PeriodsCard run={run} quote={quote} />
      <TradesCard
        run={run}
        market={market}
        onShow={({ entryTime, exitTime }) => setLookAt({ fromMs: entryTime, toMs: exitTime })}
      />
    </>
  )
}
