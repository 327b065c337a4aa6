import { type BacktestJob, backtestJob, backtestRuns } from '@shapecast/contracts/backtest'
import { ApiError } from '@shapecast/contracts/client'
import { cancelJob } from '@shapecast/contracts/jobs'
import { type QueryClient, QueryObserver, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '#wire/calls/client.ts'
import { endpointKey, endpointQuery, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import {
  BacktestFailure,
  type BacktestPlan,
  deleteTemporaryBot,
  type Failure,
  hasEnded,
  LAUNCH_FAILED,
  reasonOf,
  type StartedJob,
  startBacktest,
} from './start-backtest.ts'

const POLL_MS = 1500

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

const hasNothingToCome = (job: BacktestJob | undefined, error: Error | null): boolean =>
  (job !== undefined && hasEnded(job.status)) || isGone(error)

/** Asks for a job until it has ended, whatever page is looked at meanwhile, and deletes the bot that was made for it. */
function followToEnd(client: QueryClient, { jobId, temporaryBotId }: StartedJob): void {
  const observer = new QueryObserver(client, {
    ...endpointQuery(backtestJob, { params: { id: jobId } }),
    staleTime: 0,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  })
  const unsubscribe = observer.subscribe(({ data, error }) => {
    const isSignedOut = error instanceof ApiError && error.status === 401
    if (!hasNothingToCome(data, error) && !isSignedOut) return
    unsubscribe()
    if (isSignedOut) return
    if (temporaryBotId !== null) void deleteTemporaryBot(call, temporaryBotId)
    void client.invalidateQueries({ queryKey: endpointKey(backtestRuns) })
  })
}

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
  const opened = useRef<string | null>(null)

  const start = useMutation({
    mutationFn: (plan: BacktestPlan) => startBacktest(call, plan),
    onMutate: () => {
      setStarted(null)
      setDismissed({ failure: false, warning: false })
    },
    onSuccess: (job) => {
      setStarted(job)
      followToEnd(queryClient, job)
    },
  })
  const cancel = useEndpointMutation(cancelJob)
  const poll = useEndpointQuery(backtestJob, { params: { id: started?.jobId ?? '' } }, { enabled: started !== null })

  const job = started === null ? undefined : poll.data
  const isOver = started !== null && hasNothingToCome(job, poll.error)
  const runId = job?.status === 'completed' ? job.runId : null
  useEffect(() => {
    if (runId === null || opened.current === runId) return
    opened.current = runId
    onRun(runId)
  }, [runId, onRun])

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
