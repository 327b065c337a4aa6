import { backtestRun } from '@shapecast/contracts/backtest'
import { MOST_COMPARED_RUNS } from '@shapecast/contracts/run-comparison'
import { createContext, use } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#routes/paths.ts'
import { READ_LATER, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { settle } from './backtest-request.ts'
import type { Parameters } from './parameters.ts'
import { useBacktestJob } from './use-backtest-job.ts'
import { useChoices, useParameters, useParametersOfRun } from './use-parameters.ts'

/** The run that is open on the page. The address holds it, so that it can be shared. */
function useOpenedRun() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const ticked = search.get('compare')
  const ids = ticked === null ? null : [...new Set(ticked.split(','))].filter((id) => id !== '')
  return {
    runId: search.get('run'),
    /** Runs that are ticked to be compared; null where none are being chosen. */
    compared: ids === null ? null : ids.slice(0, MOST_COMPARED_RUNS),
    open: (runId: string) => void navigate(paths.run(runId)),
    compare: (runIds: readonly string[] | null) =>
      void navigate(runIds === null ? paths.backtest : paths.compareRuns(runIds), { replace: true }),
    close: () => void navigate(paths.backtest, { replace: true }),
  }
}

/** What the page works on: the run that is open, what stands in the fields and can be chosen, what follows from it, and the job. */
export function useBacktestPage() {
  const address = useOpenedRun()
  const { runId } = address
  // A saved run never changes: once loaded it stays.
  const kept = { ...READ_LATER, staleTime: Number.POSITIVE_INFINITY, enabled: runId !== null }
  const opened = useEndpointQuery(backtestRun, { params: { id: runId ?? '' } }, kept)
  const choices = useChoices()
  const form = useParameters(choices)
  const job = useBacktestJob(address.open)
  useParametersOfRun(form, runId === null ? null : opened.data, job.job?.runId)
  const test = settle(form.values, choices)
  const start = form.submit((request) => {
    form.change({ state: 'sent' })
    job.start({ request, symbol: test.symbol! })
  })
  return {
    ...address,
    opened,
    choices,
    form,
    test,
    job,
    isBusy: job.isStarting || job.isRunning,
    /** Runs what stands in the fields, after a change of it. */
    run: (change?: Partial<Parameters>) => {
      if (change !== undefined) form.change(change)
      void start()
    },
  }
}

export const BacktestContext = createContext<ReturnType<typeof useBacktestPage> | null>(null)
export const useBacktest = () => use(BacktestContext)!
