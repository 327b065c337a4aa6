import type { LabJob } from '@shapecast/contracts/lab-job'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { Jobs } from '../ground/jobs/jobs.ts'
import type { AnyKind, Job, JobOf } from '../ground/jobs/kind.ts'

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

/** Queues a search, a walk or a batch, on record, and answers its id. Throws `too_many_requests`. */
export const requestLabJob = <K extends AnyKind>(
  { db, jobs }: { db: Database; jobs: Jobs },
  kind: K,
  asked: Pick<JobOf<K>, 'title' | 'payload'>,
  asker: Member,
): Promise<string> =>
  db.orm.transaction(async (tx) => {
    const { id } = await jobs.request(tx, kind, { ...asked, userId: asker.userId, key: null })
    const subject = { type: kind.name, id }
    await recordAudit(tx, asker, { action: `${kind.name}.requested`, subject, after: { title: asked.title } })
    return id
  })
