import { randomUUID } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import type { ImportanceRun } from '@shapecast/contracts/importance'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { jobKind, type Queue } from '@shapecast/platform/queue'
import type { Caller } from '@shapecast/platform/sessions'
import { z } from 'zod'
import { endGivenUp } from '../../ground/job-end.ts'
import { oneAtATime } from '../../ground/one-at-a-time.ts'
import type { MeasuredArtifacts } from './collaborators.ts'
import { type ImportanceStore, importanceOf } from './importance-store.ts'

/** Its payload names the artifact; a worker that has to stop gives it back, and the next one starts over. */
export const IMPORTANCE = jobKind({
  name: 'importance',
  payload: z.object({ artifactId: z.uuid() }),
  onStop: 'abort',
  retryLimit: 3,
  expireInSeconds: 15 * 60,
})

const MOST_ACTIVE_OF_A_USER = 3
const INTERRUPTED = 'It was interrupted more than once and given up. Ask again.'

export interface ImportanceServiceDeps {
  db: Database
  store: ImportanceStore
  artifacts: MeasuredArtifacts
  queue: Queue
  now(): number
}

const noModel = () => new AppError('not_found', 'There is no such trained model.')

/** Asking what artifacts look at, and reading what was found. */
export const createImportanceService = ({ db, store, artifacts, queue, now }: ImportanceServiceDeps) => ({
  /** What is known of an artifact; null before it was asked for. Throws `not_found` where there is none. */
  async read(artifactId: string): Promise<ImportanceRun | null> {
    if ((await artifacts.artifact(artifactId)) === undefined) throw noModel()
    const row = await store.find(artifactId)
    return row === undefined ? null : importanceOf(row)
  },

  /** Queues a measuring. Throws `not_found`, `conflict` while one waits or runs, `too_many_requests`. */
  async request(artifactId: string, { userId }: Pick<Caller, 'userId'>, address: string): Promise<ImportanceRun> {
    if ((await artifacts.artifact(artifactId)) === undefined) throw noModel()
    return db.orm.transaction(async (tx) => {
      if (!(await artifacts.holdVersionOf(tx, artifactId))) throw noModel()
      // One at a time a person, so that several at once do not each find room.
      await oneAtATime(tx, `importances of ${userId}`)
      if ((await store.activeOf(userId, tx)) >= MOST_ACTIVE_OF_A_USER)
        throw new AppError(
          'too_many_requests',
          `You have ${MOST_ACTIVE_OF_A_USER} of these waiting or running. Wait for one to end.`,
          { retryAfterS: 10 },
        )
      const jobId = randomUUID()
      const row = await store.queue(tx, { artifactId, jobId, requestedBy: userId, requestedAtMs: now() })
      if (row === undefined)
        throw new AppError('conflict', 'What this model looks at is being measured already. Wait for it to end.')
      await queue.send(IMPORTANCE, { artifactId }, { id: jobId, orm: tx })
      await recordAudit(tx, {
        actorId: userId,
        address,
        action: 'model.importance_requested',
        subject: { type: 'artifact', id: artifactId },
      })
      return importanceOf(row)
    })
  },

  /** Ends, with a text, those that the queue has given up: none stays "running" for ever. */
  async reconcile(): Promise<void> {
    await endGivenUp(
      queue,
      IMPORTANCE,
      await store.unfinished(),
      ({ jobId }) => ({ id: jobId }),
      ({ artifactId, jobId }) => store.fail(artifactId, jobId, INTERRUPTED, now()),
    )
  },
})
export type ImportanceService = ReturnType<typeof createImportanceService>
