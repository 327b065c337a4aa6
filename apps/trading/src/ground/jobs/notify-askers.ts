import type { Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { askersOf } from './kind.ts'
import type { JobRow } from './tables.ts'

export interface JobNews {
  readonly title: string
  readonly text: string
  readonly link: string
}

/** Notifies everybody who asked for a job of its end; of one that was cancelled nobody, and nothing of it is read. */
export async function notifyAskers<Ended extends Pick<JobRow, 'userId' | 'joined' | 'status'>>(
  tx: Orm,
  job: Ended,
  newsOf: (job: Ended) => JobNews,
  nowMs: number,
): Promise<void> {
  if (job.status === 'cancelled') return
  const news = newsOf(job)
  for (const userId of askersOf(job)) await notify(tx, userId, { kind: 'job', ...news }, nowMs)
}
