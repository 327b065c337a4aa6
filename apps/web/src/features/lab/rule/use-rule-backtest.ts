import { backtestJob, createBacktestJob } from '@shapecast/contracts/backtest'
import type { CallInput } from '@shapecast/contracts/client'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const POLL_MS = 1000
const FAILED = 'The backtest could not be run.'

/** Backtests a rule and opens the run once it is there. */
export function useRuleBacktest() {
  const navigate = useNavigate()
  const start = useEndpointMutation(createBacktestJob)
  const { reset } = start
  const job = useEndpointQuery(
    backtestJob,
    { params: { id: start.data?.jobId ?? '' } },
    {
      enabled: start.isSuccess,
      refetchInterval: ({ state }) =>
        state.data === undefined || state.data.status === 'queued' || state.data.status === 'running' ? POLL_MS : false,
    },
  )
  const runId = job.data?.runId ?? null
  useEffect(() => {
    if (runId === null) return
    reset()
    void navigate(paths.run(runId))
  }, [runId, navigate, reset])
  const status = job.data?.status
  return {
    run: (body: CallInput<typeof createBacktestJob>['body']) => start.mutate({ body }),
    isBusy: start.isPending || (start.isSuccess && status !== 'failed' && status !== 'cancelled' && !job.isError),
    failure: start.isError
      ? errorInFull(start.error, FAILED)
      : job.isError
        ? errorInFull(job.error, FAILED)
        : status === 'failed'
          ? (job.data?.error ?? FAILED)
          : status === 'cancelled'
            ? 'The backtest was cancelled.'
            : null,
  }
}
