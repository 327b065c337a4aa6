import { AppError } from '@shapecast/contracts/errors'
import type { ImportanceRun } from '@shapecast/contracts/importance'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { newestJob } from '../../ground/jobs/job-rows.ts'
import type { Jobs } from '../../ground/jobs/jobs.ts'
import { holdVersionOf } from '../active-artifacts.ts'
import type { ModelStore } from '../model-store.ts'
import { IMPORTANCE } from './importance-kind.ts'

const noModel = () => new AppError('not_found', 'There is no such trained model.')

/** What is known of an artifact: the last measuring that was asked for, with the report of the last that was completed. */
async function runOf(orm: Orm, artifactId: string): Promise<ImportanceRun | null> {
  const newest = await newestJob(orm, IMPORTANCE, artifactId)
  if (newest === undefined) return null
  const { id: jobId, status, error, createdAtMs, finishedAtMs } = newest
  const reported = status === 'completed' ? newest : await newestJob(orm, IMPORTANCE, artifactId, 'completed')
  const importance = reported?.result ?? null
  return { artifactId, jobId, status, importance, error, requestedAt: createdAtMs, finishedAt: finishedAtMs }
}

/** Asking what artifacts look at, and reading what was found. */
export const createImportanceService = (deps: {
  db: Database
  jobs: Jobs
  artifacts: Pick<ModelStore, 'artifact'>
}) => {
  const { db, jobs, artifacts } = deps
  return {
    /** What is known of an artifact; null before it was asked for. Throws `not_found` if there is none. */
    async read(artifactId: string): Promise<ImportanceRun | null> {
      if ((await artifacts.artifact(artifactId)) === undefined) throw noModel()
      return runOf(db.orm, artifactId)
    },

    /** Queues a measuring, or joins the one that waits or runs. Throws `not_found`, `too_many_requests`. */
    async request(artifactId: string, member: Member): Promise<ImportanceRun> {
      const artifact = await artifacts.artifact(artifactId)
      if (artifact === undefined) throw noModel()
      const { version, symbol, timeframe } = artifact
      const title = `${version} on ${symbol} ${timeframe}`
      return db.orm.transaction(async (tx) => {
        if (!(await holdVersionOf(tx, artifactId))) throw noModel()
        await jobs.request(
          tx,
          IMPORTANCE,
          { userId: member.userId, key: artifactId, title, payload: { artifactId } },
          () => ({ join: true }),
        )
        await recordAudit(tx, member, {
          action: 'model.importance_requested',
          subject: { type: 'artifact', id: artifactId },
        })
        return (await runOf(tx, artifactId))!
      })
    },
  }
}
export type ImportanceService = ReturnType<typeof createImportanceService>
