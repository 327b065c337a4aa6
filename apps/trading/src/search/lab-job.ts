import type { LabJob } from '@shapecast/contracts/lab-job'
import type { Job } from '../ground/jobs/kind.ts'

export type LabProgress = LabJob['progress']

/** What a list shows of a search, a walk or a batch; `total` before it is known by the job itself. */
export const shownLabJob = (
  { id, status, progress, error, createdAtMs, title, payload: { venue } }: Job<{ venue: string }, LabProgress, unknown>,
  total = 0,
): LabJob => ({
  id,
  status,
  progress: { ...progress, total: progress.total || total },
  error,
  createdAt: createdAtMs,
  venue,
  title,
})
