import { randomUUID } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import type { Examination } from '@shapecast/contracts/examinations'
import { LeakAudit } from '@shapecast/contracts/leak-audit'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { jobKind, type Queue } from '@shapecast/platform/queue'
import type { Caller } from '@shapecast/platform/sessions'
import { z } from 'zod'
import { endGivenUp } from '../../job-end.ts'
import { oneAtATime } from '../../one-at-a-time.ts'
import type { ExaminedArtifacts } from './collaborators.ts'
import { type ExaminationStore, examinationOf } from './examination-store.ts'

/**
 * Its payload names the artifact, and brings its audit where that was made already, on the same candles and as deep; a
 * worker that has to stop gives it back, and the next one starts over.
 */
export const EXAMINATION = jobKind({
  name: 'examination',
  payload: z.object({ artifactId: z.uuid(), audit: LeakAudit.optional() }),
  onStop: 'abort',
  retryLimit: 3,
  expireInSeconds: 15 * 60,
})

const MOST_ACTIVE_OF_A_USER = 3
/** So many of the installation's own wait at a time, so that what a person asks for does not stand behind a backlog. */
const MOST_AUTOMATIC = 4
const ASKED_FOR = 1
const INTERRUPTED = 'The examination was interrupted more than once and given up. Run it again.'

export interface ExaminationDeskDeps {
  db: Database
  store: ExaminationStore
  artifacts: ExaminedArtifacts
  queue: Queue
  now(): number
}

type Asker = Pick<Caller, 'userId'>

/** Asking for examinations of artifacts, and reading what they found. */
export const createExaminationDesk = ({ db, store, artifacts, queue, now }: ExaminationDeskDeps) => {
  const requireArtifact = async (id: string) => {
    const artifact = await artifacts.artifact(id)
    if (artifact === undefined) throw new AppError('not_found', 'There is no such trained model.')
    return artifact
  }

  const requireRoom = async (tx: Orm, { userId }: Asker) => {
    // One at a time a person, so that several at once do not each find room.
    await oneAtATime(tx, `examinations of ${userId}`)
    if ((await store.activeOf(userId, tx)) >= MOST_ACTIVE_OF_A_USER)
      throw new AppError(
        'too_many_requests',
        `You have ${MOST_ACTIVE_OF_A_USER} audits waiting or running. Wait for one to end.`,
        { retryAfterS: 10 },
      )
  }

  /** Undefined where one of this artifact waits or runs already, or where it was deleted meanwhile. */
  const put = (artifactId: string, asker: Asker | null, address: string | null, audit?: LeakAudit) =>
    db.orm.transaction(async (tx) => {
      if (!(await artifacts.holdVersionOf(tx, artifactId))) return undefined
      if (asker !== null) await requireRoom(tx, asker)
      const jobId = randomUUID()
      const requestedBy = asker?.userId ?? null
      const row = await store.queue(tx, { artifactId, jobId, requestedBy, requestedAtMs: now() })
      if (row === undefined) return undefined
      await artifacts.setLeak(tx, artifactId, null)
      const priority = asker === null ? 0 : ASKED_FOR
      await queue.send(EXAMINATION, { artifactId, ...(audit && { audit }) }, { id: jobId, orm: tx, priority })
      if (asker !== null)
        await recordAudit(tx, {
          actorId: asker.userId,
          address,
          action: 'model.examination_requested',
          subject: { type: 'artifact', id: artifactId },
        })
      return row
    })

  return {
    /** What is known of an artifact; null before it was asked for. Throws `not_found` where there is none. */
    async read(artifactId: string): Promise<Examination | null> {
      await requireArtifact(artifactId)
      const row = await store.find(artifactId)
      return row === undefined ? null : examinationOf(row)
    },

    /** Queues an examination. Throws `not_found`, `conflict` while one waits or runs, `too_many_requests`. */
    async request(artifactId: string, asker: Asker, address: string): Promise<Examination> {
      await requireArtifact(artifactId)
      const row = await put(artifactId, asker, address)
      if (row === undefined) throw new AppError('conflict', 'This model is being audited already. Wait for it to end.')
      return examinationOf(row)
    },

    /** Queues an artifact that was audited before it was stored: what is left to find out is what it looks at. */
    async queueAudited(artifactId: string, audit: LeakAudit): Promise<void> {
      await put(artifactId, null, null, audit)
    },

    /**
     * Queues the newest artifacts that were never examined, a few at a time; each once, also where several workers ask
     * at the same moment.
     */
    async queueMissing(): Promise<void> {
      const room = MOST_AUTOMATIC - (await store.activeOf(null))
      if (room <= 0) return
      for (const id of await artifacts.unexamined(room)) await put(id, null, null)
    },

    /** Ends, with a text, the examinations that the queue has given up: none stays "running" for ever. */
    async reconcile(): Promise<void> {
      await endGivenUp(
        queue,
        EXAMINATION,
        await store.unfinished(),
        ({ jobId }) => ({ id: jobId }),
        ({ artifactId, jobId }) => store.fail(artifactId, jobId, INTERRUPTED, now()),
      )
    },
  }
}
export type ExaminationDesk = ReturnType<typeof createExaminationDesk>
