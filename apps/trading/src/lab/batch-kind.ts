import type { BatchRequest, BatchResult, BatchSummary } from '@shapecast/contracts/batch'
import { z } from 'zod'
import type { BacktestOrder } from '../backtests/backtest-order.ts'
import { type Job, kindOf } from '../ground/jobs/kind.ts'
import { type JobNews, notifyAskers } from '../ground/jobs/notify-askers.ts'
import { type LabProgress, shownLabJob } from '../search/lab-job.ts'

const MOST_ACTIVE_OF_A_USER = 2

/** A batch as it was asked for: an order for each cell. */
export interface BatchOrder {
  readonly request: BatchRequest
  readonly orders: readonly BacktestOrder[]
  readonly venue: string
}

/** Progress in cells. */
export type BatchJob = Job<BatchOrder, LabProgress, BatchResult>

export const BATCH = kindOf<BatchResult>()({
  name: 'batch',
  // Made by the service, of a request that was checked.
  payload: z.custom<BatchOrder>(),
  start: { current: 0, total: 0 } as LabProgress,
  visibility: 'askers',
  limit: {
    most: MOST_ACTIVE_OF_A_USER,
    error: `You have ${MOST_ACTIVE_OF_A_USER} batches waiting or running. Wait for one to end, or cancel one.`,
    retryAfterS: 10,
  },
  unknown: 'This batch does not exist, or somebody else asked for it.',
  givenUp: 'The batch was interrupted more than once and given up. What was done is kept: go on with it.',
  goesOn: true,
  ended: (tx, job, nowMs) => notifyAskers(tx, job, newsOf, nowMs),
})

/** `Rule on 10 symbols, 4 timeframes`. */
export function batchTitle({ request, orders }: Pick<BatchOrder, 'request' | 'orders'>): string {
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
  const { symbols, timeframes } = request
  return `${orders[0]!.bot.name} on ${counted(symbols.length, 'symbol')}, ${counted(timeframes.length, 'timeframe')}`
}

/** That a batch is done, or why it failed. */
function newsOf(job: BatchJob): JobNews {
  const what = `Batch of ${batchTitle(job.payload)}`
  const news =
    job.result !== null
      ? { title: `${what} is done`, text: 'Open it for its runs, and for how much of the best is luck.' }
      : { title: `${what} failed`, text: job.error! }
  return { ...news, link: `/backtest/batch?batch=${job.id}` }
}

/** A batch as a list shows it. */
export const shownBatch = (job: BatchJob): BatchSummary => ({
  ...shownLabJob(job, job.payload.orders.length),
  request: job.payload.request,
})
