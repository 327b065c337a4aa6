import { type BacktestJob, backtestJob, backtestRuns, createBacktestJob } from '@shapecast/contracts/backtest'
import { type BacktestRequest, BOT_NOT_FOUND } from '@shapecast/contracts/backtest-request'
import { createBot, deleteBot } from '@shapecast/contracts/bot-changes'
import { ApiError, type Call, type CallInput } from '@shapecast/contracts/client'
import { cancelJob } from '@shapecast/contracts/jobs'
import { ohlcv } from '@shapecast/contracts/market'
import { type QueryClient, QueryObserver, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '#wire/calls/client.ts'
import {
  endpointKey,
  endpointQuery,
  isUnderWay,
  useEndpointMutation,
  useEndpointQuery,
} from '#wire/calls/use-endpoint.ts'

/** What went wrong, for the red banner: a text of the catalogue, and the reason where one is known. */
export interface Failure {
  readonly title: string
  readonly detail: string | undefined
}

/** Why a call failed, in words for people; undefined where there are none. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.message
  return error instanceof BacktestFailure ? error.failure.detail : undefined
}

/** A step of a backtest that failed, with what the page is to say. */
export class BacktestFailure extends Error {
  readonly failure: Failure

  constructor(title: string, cause: unknown) {
    super(title, { cause })
    this.name = 'BacktestFailure'
    this.failure = { title, detail: reasonOf(cause) }
  }
}

export const OHLCV_FAILED = 'Failed to load OHLCV data'
const NO_OHLCV = 'No OHLCV data available for selected symbol and timeframe'
const VIRTUAL_BOT_FAILED = 'Failed to create virtual bot'
export const LAUNCH_FAILED = 'Backtest launch error'

export interface BacktestPlan {
  readonly request: BacktestRequest
  /** The first that is tested. */
  readonly symbol: string
}

type StartedJob = Awaited<ReturnType<typeof startBacktest>>

async function checkCandles(call: Call, { request, symbol }: BacktestPlan): Promise<Failure | null> {
  const query = { timeframe: request.timeframe, limit: ohlcvCount(request.limit), before: request.to! + 1 }
  try {
    const rows = await call(ohlcv, { params: { symbol }, query })
    if (rows.length === 0 && request.mode === 'model') throw new BacktestFailure(NO_OHLCV, null)
    return null
  } catch (error) {
    if (error instanceof BacktestFailure) throw error
    const reason = reasonOf(error)
    if (request.mode === 'bot') return { title: OHLCV_FAILED, detail: reason }
    throw new BacktestFailure(reason === undefined ? OHLCV_FAILED : `${OHLCV_FAILED}: ${reason}`, null)
  }
}

/** Deletes the bot of a test. A failure is logged only: the service removes such bots by itself after ten minutes. */
export async function deleteTemporaryBot(call: Call, id: string): Promise<void> {
  try {
    await call(deleteBot, { params: { id } })
  } catch (error) {
    console.warn('The temporary bot could not be deleted; it is removed by itself after ten minutes.', error)
  }
}

/**
 * Queues the backtest of a plan. A model is tested by a temporary virtual bot, for which candles must be there; a bot
 * is tested even where its candles could not be loaded here, of which it warns. Throws a BacktestFailure, and leaves no
 * bot behind; `temporaryBotId` is to be deleted when the job ends.
 */
export async function startBacktest(call: Call, plan: BacktestPlan) {
  const { request, symbol } = plan
  const warning = await checkCandles(call, plan)
  let temporaryBotId: string | null = null
  if (request.mode === 'model') {
    try {
      temporaryBotId = (await call(createBot, { body: temporaryBot(request, symbol) })).botId
    } catch (error) {
      throw new BacktestFailure(VIRTUAL_BOT_FAILED, error)
    }
  }
  try {
    const botId = request.mode === 'bot' ? request.botId! : temporaryBotId!
    const { jobId } = await call(createBacktestJob, { body: jobRequest(request, botId) })
    return { jobId, temporaryBotId, warning }
  } catch (error) {
    if (temporaryBotId !== null) await deleteTemporaryBot(call, temporaryBotId)
    if (request.mode === 'bot' && error instanceof ApiError && error.code === 'not_found')
      throw new BacktestFailure(BOT_NOT_FOUND, null)
    throw new BacktestFailure(LAUNCH_FAILED, error)
  }
}

const MIN_OHLCV_COUNT = 300
const MAX_OHLCV_COUNT = 10_000

/** How many candles to load for a test of `limit` candles: at least 300, at most what one call may return. */
export const ohlcvCount = (limit: number): number => Math.min(MAX_OHLCV_COUNT, Math.max(MIN_OHLCV_COUNT, limit))

/** The job of a request, run by `botId`, which has its own account. */
export function jobRequest(request: BacktestRequest, botId: string): CallInput<typeof createBacktestJob>['body'] {
  const { mlModelVersion, positionSize, initialBalance, leverage, maxDrawdown, ...job } = request
  return { ...job, botId }
}

/** The virtual private bot that trades one model for the length of a test. */
export function temporaryBot(request: BacktestRequest, symbol: string): CallInput<typeof createBot>['body'] {
  const { mlModelVersion, positionSize, initialBalance, leverage, maxDrawdown } = request
  return {
    name: `${mlModelVersion} model only`,
    description: `Made to backtest ${mlModelVersion} on ${symbol}.`,
    strategy: 'ml',
    mlModelVersion,
    tradingPairs: [symbol],
    marketType: 'futures',
    riskLevel: 'medium',
    visibility: 'private',
    isVirtual: true,
    positionSize,
    initialBalance,
    leverage,
    maxDrawdown,
    parameters: { temporary: true },
  }
}

const POLL_MS = 1500

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

const hasNothingToCome = (job: BacktestJob | undefined, error: Error | null): boolean =>
  (job !== undefined && !isUnderWay(job)) || isGone(error)

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

/**
 * One backtest at a time: queued, asked for every 1.5 s, ended. `onRun` is told the run of a completed job. The bot
 * that was made for a test is deleted when its job has ended, however it did.
 */
export function useBacktestJob(onRun: (runId: string) => void) {
  const queryClient = useQueryClient()
  const [started, setStarted] = useState<StartedJob | null>(null)
  const [dismissed, setDismissed] = useState({ failure: false, warning: false })
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
  // Of the errors of a poll that is over, the one that ended it.
  const pollError = (started === null || isOver) && !isGone(poll.error) ? null : poll.error
  const runId = job?.status === 'completed' ? job.runId : null
  useEffect(() => {
    if (runId === null || opened.current === runId) return
    opened.current = runId
    onRun(runId)
  }, [runId, onRun])

  const failure = failureOf(start.error, pollError, job)
  return {
    start: start.mutate,
    cancel: () => {
      if (started !== null) cancel.mutate({ params: { id: started.jobId } })
    },
    /** Between the press of the button and the answer that a job is queued. */
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
