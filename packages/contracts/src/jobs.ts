import { z } from 'zod'
import { backtestJob } from './backtest.ts'
import { batch, batches } from './batch.ts'
import { tradingEndpoint } from './endpoint.ts'
import { importance } from './importance.ts'
import { JobKind } from './job-status.ts'
import { downloadJob } from './market.ts'
import { search, searches } from './search.ts'
import { trainingJob, trainingJobs } from './trainings.ts'
import { epochMs } from './units.ts'
import { walkForward, walkForwards } from './walk-forward.ts'

/** A job that failed, of whatever kind, as admins see it. */
export const FailedJob = z.object({
  id: z.uuid(),
  kind: JobKind,
  /** What it was about, such as `v3 on BTCUSDT 1h`. */
  title: z.string(),
  /** Who asked; null for the installation itself and the command line. */
  userId: z.uuid().nullable(),
  error: z.string(),
  failedAt: epochMs(),
})
export type FailedJob = z.infer<typeof FailedJob>

export const failedJobs = tradingEndpoint('GET /api/jobs/failed', {
  summary: 'The newest 100 jobs that failed within 30 days, of whatever kind and user.',
  access: 'admin',
  reply: z.array(FailedJob),
})

export const cancelJob = tradingEndpoint('POST /api/jobs/:id/cancel', {
  summary:
    'Cancel a queued or running job of any kind: for who asked for it first, and admins. Its worker stops within about a second.',
  touches: [
    trainingJobs,
    trainingJob,
    backtestJob,
    downloadJob,
    importance,
    searches,
    search,
    walkForwards,
    walkForward,
    batches,
    batch,
  ],
  reply: z.object({ id: z.uuid() }),
  errors: ['not_found', 'forbidden', 'job_not_running'],
})

export const resumeJob = tradingEndpoint('POST /api/jobs/:id/resume', {
  summary:
    'Queue a job again that failed, for the user who asked for it: admins. Searches, walks and batches that failed or were cancelled go on from the parts that were done: for who asked, and admins.',
  access: 'manager',
  touches: [failedJobs, searches, search, walkForwards, walkForward, batches, batch],
  reply: z.object({ id: z.uuid() }),
  errors: ['not_found', 'forbidden', 'conflict', 'too_many_requests'],
})
