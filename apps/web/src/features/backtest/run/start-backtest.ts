import { type BacktestJob, createBacktestJob } from '@shapecast/contracts/backtest'
import { type BacktestRequest, BOT_NOT_FOUND } from '@shapecast/contracts/backtest-request'
import { createBot, deleteBot } from '@shapecast/contracts/bot-changes'
import { ApiError, type Call, type CallInput } from '@shapecast/contracts/client'
import { ohlcv } from '@shapecast/contracts/market'

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

export interface StartedJob {
  readonly jobId: string
  /** Made for this test; to be deleted when the job ends. */
  readonly temporaryBotId: string | null
  /** What did not work and did not stop the test. */
  readonly warning: Failure | null
}

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
 * is tested even where its candles could not be loaded here. Throws a BacktestFailure, and leaves no bot behind.
 */
export async function startBacktest(call: Call, plan: BacktestPlan): Promise<StartedJob> {
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

export const hasEnded = (status: BacktestJob['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'
