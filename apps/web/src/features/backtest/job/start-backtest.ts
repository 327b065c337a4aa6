import { type BacktestRequest, BOT_NOT_FOUND, createBacktestJob } from '@shapecast/contracts/backtest'
import { createBot, deleteBot } from '@shapecast/contracts/bot-changes'
import { ApiError, type Call } from '@shapecast/contracts/client'
import { ohlcv } from '@shapecast/contracts/market'
import { BacktestFailure, type Failure, reasonOf } from './failure.ts'
import { jobRequest, ohlcvCount, temporaryBot } from './job-request.ts'

export const OHLCV_FAILED = 'Failed to load OHLCV data'
export const NO_OHLCV = 'No OHLCV data available for selected symbol and timeframe'
export const VIRTUAL_BOT_FAILED = 'Failed to create virtual bot'
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
