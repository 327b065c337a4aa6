import { AppError } from '@shapecast/contracts/errors'
import type { JobKind } from '@shapecast/contracts/job-status'
import { cancelJob, type FailedJob, failedJobs, resumeJob } from '@shapecast/contracts/jobs'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { violationOf } from '@shapecast/platform/database/violations'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { failedJobs as failedRows, requireKind } from './job-rows.ts'
import type { Jobs } from './jobs.ts'
import type { AnyKind } from './kind.ts'
import type { JobRow } from './tables.ts'

const SHOWN = 100
const SHOWN_MS = 30 * 86_400_000

const shownOf = ({ id, kind, title, userId, error, finishedAtMs }: JobRow): FailedJob => ({
  id,
  kind: kind as FailedJob['kind'],
  title,
  userId,
  error: error!,
  failedAt: finishedAtMs!,
})

interface JobRoutesDeps {
  db: Database
  jobs: Jobs
  kinds: Readonly<Record<JobKind, AnyKind>>
  now(): number
}

/** Cancelling a job and going on with one; what admins see of failed ones. */
export function jobRoutes(app: ServiceApp, { db, jobs, kinds, now }: JobRoutesDeps): void {
  registerEndpoint(app, cancelJob, ({ params: { id }, caller }) =>
    db.orm.transaction(async (tx) => {
      const kind = await requireKind(tx, id)
      await jobs.cancel(tx, kinds[kind], id, caller)
      await recordAudit(tx, caller, { action: `${kind}.cancelled`, subject: { type: kind, id } })
      return { id }
    }),
  )

  registerEndpoint(app, failedJobs, async () => (await failedRows(db.orm, now() - SHOWN_MS, SHOWN)).map(shownOf))

  registerEndpoint(app, resumeJob, ({ params: { id }, caller }) =>
    db.orm
      .transaction(async (tx) => {
        const kind = await requireKind(tx, id)
        const { status, error } = await jobs.resume(tx, kinds[kind], id, caller)
        await recordAudit(tx, caller, {
          action: 'job.run_again',
          subject: { type: kind, id },
          before: { status, error },
        })
        return { id }
      })
      .catch((error: unknown) => {
        if (violationOf(error) !== 'twice') throw error
        throw new AppError('conflict', 'The same is already waiting or running. Wait for it to end.')
      }),
  )
}
