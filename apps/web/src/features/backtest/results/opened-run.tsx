import type { BacktestRun } from '@shapecast/contracts/backtest'
import { ApiError } from '@shapecast/contracts/client'
import type { Health, Market } from '@shapecast/contracts/market'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/retry-button.tsx'
import { ResultsPanel } from './results-panel.tsx'
import { ResultsSkeleton } from './results-skeleton.tsx'

/** Whether the address names what cannot be a run: the server says that to programs. */
const isNoId = (error: Error) => error instanceof ApiError && error.status === 400

/** The run of the address: on its way, here, or not to be had. */
export function OpenedRun({
  run,
  market,
  health,
  onClose,
  nextStepOf,
}: {
  run: UseQueryResult<BacktestRun, Error>
  market: Market | undefined
  health: Health | undefined
  onClose: () => void
  nextStepOf: (run: BacktestRun) => ReactNode
}) {
  if (run.data !== undefined)
    return <ResultsPanel run={run.data} market={market} health={health} nextStep={nextStepOf(run.data)} />
  if (!run.isError) return <ResultsSkeleton />
  return (
    <Banner kind="error" title="This run could not be loaded" onDismiss={onClose} action={<RetryButton reply={run} />}>
      {isNoId(run.error) ? 'This run does not exist.' : run.error.message} Open another one from Saved Runs, or run a
      new backtest.
    </Banner>
  )
}
