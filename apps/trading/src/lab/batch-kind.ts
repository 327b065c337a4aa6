import type { BatchRequest, BatchResult, BatchSummary } from '@shapecast/contracts/batch'
import type { BacktestOrder } from '../backtests/backtest-order.ts'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import type { JobOf } from '../ground/jobs/kind.ts'
import { type LabProgress, shownLabJob } from '../search/lab-job.ts'

/** A batch as it was asked for: an order for each cell. */
export interface BatchOrder {
  readonly request: BatchRequest
  readonly orders: readonly BacktestOrder[]
  readonly venue: string
}

/** Progress in cells. */
export const BATCH = askedKind<BatchOrder, BatchResult, LabProgress>({
  name: 'batch',
  words: ['batch', 'batches'],
  limit: { most: 2, retryAfterS: 10 },
  goesOn: true,
  news: {
    what: ({ payload }) => `Batch of ${batchTitle(payload)}`,
    done: () => 'Open it for its runs, and for how much of the best is luck.',
    link: ({ id }) => `/backtest/batch?batch=${id}`,
  },
})

/** `Rule on 10 symbols, 4 timeframes`. */
export function batchTitle({ request, orders }: Pick<BatchOrder, 'request' | 'orders'>): string {
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
  const { symbols, timeframes } = request
  return `${orders[0]!.bot.name} on ${counted(symbols.length, 'symbol')}, ${counted(timeframes.length, 'timeframe')}`
}

/** A batch as a list shows it. */
export const shownBatch = (job: JobOf<typeof BATCH>): BatchSummary => ({
  ...shownLabJob(job, job.payload.orders.length),
  request: job.payload.request,
})
