import type { BacktestRun } from '@shapecast/contracts/backtest'
import { ApiError } from '@shapecast/contracts/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EntriesVerdict } from '#charts/entries-verdict.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { Banner } from '#kit/ui/banner.tsx'
import layout from '#kit/ui/layout.module.css'
import { RetryButton } from '#kit/ui/retry-button.tsx'
import { assetsOf } from '../../run/options.ts'
import { BalanceCard } from './balance-card.tsx'
import { ChartCard } from './chart-card.tsx'
import css from './opened-run.module.css'
import { PeriodsCard } from './periods-card.tsx'
import { ResultsSkeleton } from './results-skeleton.tsx'
import { RunHeader } from './run-header.tsx'
import { RunNotesList } from './run-notes.tsx'
import { SeenNotice } from './seen-notice.tsx'
import { SharpeCard } from './sharpe-card.tsx'
import { TradesCard } from './trades-card.tsx'

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
