import type { BacktestJob } from '@shapecast/contracts/backtest'
import { z } from 'zod'
import { type Job, kindOf, type Progress } from '../ground/jobs/kind.ts'
import { type JobNews, notifyAskers } from '../ground/jobs/notify-askers.ts'
import type { BacktestOrder } from './backtest-order.ts'

/** A job that has ended is looked at for a while; its run stays. */
const KEPT_MS = 30 * 86_400_000
const MOST_ACTIVE_OF_A_USER = 10

/** Progress in candles. */
export type TestedJob = Job<BacktestOrder, Progress, { runId: string }>

export const BACKTEST = kindOf<{ runId: string }>()({
  name: 'backtest',
  // Made by `orderOf`, of a request that was checked.
  payload: z.custom<BacktestOrder>(),
  start: { current: 0, total: 0 } as Progress,
  visibility: 'askers',
  limit: {
    most: MOST_ACTIVE_OF_A_USER,
    error: `You have ${MOST_ACTIVE_OF_A_USER} backtests waiting or running. Wait for one to end, or cancel one.`,
    retryAfterS: 5,
  },
  unknown: 'This backtest does not exist, or somebody else asked for it.',
  givenUp: 'The backtest was interrupted more than once and given up. Start it again.',
  keptMs: KEPT_MS,
  ended: (tx, job, nowMs) => notifyAskers(tx, job, newsOf, nowMs),
})

export const jobOf = ({ id, status, progress, result, error, createdAtMs }: TestedJob): BacktestJob => ({
  _id: id,
  status,
  progress: { current: progress.current, total: progress.total },
  runId: result?.runId ?? null,
  error,
  createdAt: createdAtMs,
})

export const wordsOf = ({ bot, symbol, symbols, timeframe }: BacktestOrder): string =>
  `${bot.name} on ${symbols?.join(', ') ?? symbol} ${timeframe}`

/** That a backtest is done, or why it failed. */
function newsOf(job: TestedJob): JobNews {
  const what = `Backtest of ${wordsOf(job.payload)}`
  return job.result !== null
    ? {
        title: `${what} is done`,
        text: 'Open it for the result, on what the model had seen and on what it had not.',
        link: `/backtest?run=${job.result.runId}`,
      }
    : { title: `${what} failed`, text: job.error!, link: '/backtest' }
}
