import { type BacktestJob, backtestJob, backtestRuns } from '@shapecast/contracts/backtest'
import { ApiError } from '@shapecast/contracts/client'
import { cancelJob } from '@shapecast/contracts/jobs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '#wire/calls/client.ts'
import { endpointKey, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { BacktestFailure, type Failure, reasonOf } from './failure.ts'
import { hasEnded } from './job-progress.ts'
import {
  type BacktestPlan,
  deleteTemporaryBot,
  LAUNCH_FAILED,
  type StartedJob,
  startBacktest,
} from './start-backtest.ts'

export const POLL_MS = 1500

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

function failureOf(startError: unknown, pollError: unknown, job: BacktestJob | undefined): Failure | null {
  if (startError instanceof BacktestFailure) return startError.failure
  if (startError !== null) return { title: LAUNCH_FAILED, detail: reasonOf(startError) }
  if (pollError !== null) return { title: 'Task status polling error', detail: reasonOf(pollError) }
  if (job?.status === 'failed') return { title: 'Backtest failed with error', detail: job.error ?? undefined }
  return null
}

export interface BacktestJobControl {
  start(plan: BacktestPlan): void
  cancel(): void
  /** Between the press of the button and the answer that a job is queued. */
  readonly isStarting: boolean
  readonly isRunning: boolean
  readonly isCancelling: boolean
  readonly job: BacktestJob | undefined
  readonly failure: Failure | null
  readonly warning: Failure | null
  dismissFailure(): void
  dismissWarning(): void
}

/**
 * One backtest at a time: queued, asked for every 1.5 s, ended. `onRun` is told the run of a completed job. The bot
 * that was made for a test is deleted when its job has ended, however it did.
 */
export function useBacktestJob(onRun: (runId: string) => void): BacktestJobControl {
  const queryClient = useQueryClient()
  const [started, setStarted] = useState<StartedJob | null>(null)
  const [dismissed, setDismissed] = useState<{ failure: boolean; warning: boolean }>({ failure: false, warning: false })
  const settled = useRef<string | null>(null)

  const start = useMutation({
    mutationFn: (plan: BacktestPlan) => startBacktest(call, plan),
    onMutate: () => {
      setStarted(null)
      setDismissed({ failure: false, warning: false })
    },
    onSuccess: setStarted,
  })
  const cancel = useEndpointMutation(cancelJob)
  const poll = useEndpointQuery(
    backtestJob,
    { params: { id: started?.jobId ?? '' } },
    {
      enabled: started !== null,
      staleTime: 0,
      refetchIntervalInBackground: true,
      refetchInterval: ({ state }) =>
        (state.data !== undefined && hasEnded(state.data.status)) || isGone(state.error) ? false : POLL_MS,
    },
  )

  const job = started === null ? undefined : poll.data
  const isOver = started !== null && ((job !== undefined && hasEnded(job.status)) || isGone(poll.error))
  const runId = job?.status === 'completed' ? job.runId : null
  useEffect(() => {
    if (started === null || !isOver || settled.current === started.jobId) return
    settled.current = started.jobId
    if (started.temporaryBotId !== null) void deleteTemporaryBot(call, started.temporaryBotId)
    void queryClient.invalidateQueries({ queryKey: endpointKey(backtestRuns) })
    if (runId !== null) onRun(runId)
  }, [started, isOver, runId, onRun, queryClient])

  const failure = failureOf(start.error, started === null || isOver ? goneOnly(poll.error) : poll.error, job)
  return {
    start: start.mutate,
    cancel: () => {
      if (started !== null) cancel.mutate({ params: { id: started.jobId } })
    },
    isStarting: start.isPending,
    isRunning: started !== null && !isOver,
    isCancelling: cancel.isPending,
    job,
    failure: dismissed.failure ? null : failure,
    warning: dismissed.warning ? null : (started?.warning ?? null),
    dismissFailure: () => setDismissed((before) => ({ ...before, failure: true })),
    dismissWarning: () => setDismissed((before) => ({ ...before, warning: true })),
  }
}

/** Of the errors of a poll that is over, the one that ended it. */
const goneOnly = (error: Error | null) => (isGone(error) ? error : null)
