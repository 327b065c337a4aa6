import { AppError } from '@shapecast/contracts/errors'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { newId } from '@shapecast/platform/database/new-id'
import type { Logger } from '@shapecast/platform/logging'
import { jobKind, type Queue, type JobKind as QueueKind } from '@shapecast/platform/queue'
import { z } from 'zod'
import type { Asker } from '../ownership.ts'
import { pruneRows } from '../prune-rows.ts'
import { carryOut } from './carry-out.ts'
import { createHelp } from './help-jobs.ts'
import { deletePartsOfOld } from './job-parts.ts'
import {
  countOpen,
  endJob,
  findJob,
  holdNewest,
  insertJob,
  joinJob,
  type NewJob,
  nextTurn,
  oldJobs,
  openJobs,
  requeueJob,
} from './job-rows.ts'
import {
  type AnyKind,
  type JobOf,
  type Kind,
  mayCancel,
  maySee,
  type Progress,
  type SharedWork,
  type Work,
} from './kind.ts'
import type { JobRow } from './tables.ts'

/** A command that carries out a job by itself is taken to have died when it was silent for so long. */
const SILENT_MS = 60_000
/** So long a job that failed or was cancelled can go on from the parts that were done. */
const PARTS_KEPT_MS = 7 * 86_400_000

/**
 * What becomes of a request while a job of the same key is open: it joins that one, with another payload where one is
 * given, or takes its place, and the open one
 * is cancelled with an error. A throw refuses it.
 */
export type Meeting<Payload> = { join: true; payload?: Payload } | { join: false; error: string }

/** The message of the queue names the job; a worker that has to stop gives it back. */
const queueOf = ({ name, expireInSeconds, retryLimit }: AnyKind) =>
  jobKind({
    name,
    payload: z.object({ id: z.uuid() }),
    onStop: 'abort',
    ...(expireInSeconds === undefined ? {} : { expireInSeconds }),
    ...(retryLimit === undefined ? {} : { retryLimit }),
  })

const wordOf = ({ name }: AnyKind): string => name.replaceAll('_', '-')

interface JobsDeps {
  db: Database
  queue: Queue
  log: Logger
  now(): number
}

/** Puts jobs into the queue. */
const sendingOf = ({ queue, now }: JobsDeps) => {
  const worked = new Map<string, { kind: AnyKind; queued: QueueKind }>()

  const send = (tx: Orm, kind: AnyKind, { id, queueId, turn }: Pick<JobRow, 'id' | 'queueId' | 'turn'>) =>
    queue.send(queueOf(kind), { id }, { id: queueId!, orm: tx, priority: -turn })

  /** Queues a job again that is over, or has lost its message; false where it has changed since it was read. */
  async function requeue(
    tx: Orm,
    kind: AnyKind,
    job: Pick<JobRow, 'id' | 'status' | 'queueId' | 'userId'>,
    change: { payload?: unknown; userId?: string | null } = {},
  ): Promise<boolean> {
    const turn = await nextTurn(tx, kind.name, change.userId ?? job.userId)
    const again = await requeueJob(tx, job, { ...change, turn, queueId: newId() }, now())
    if (again !== undefined) await send(tx, kind, again)
    return again !== undefined
  }
  return { worked, send, requeue }
}

/** Ends what was given up, and forgets what is long over. */
const upkeepOf = ({ db, queue, now }: JobsDeps, { worked, requeue }: ReturnType<typeof sendingOf>) => ({
  /**
   * Ends jobs that the queue has given up, and those of commands that have died: none stays "running" for ever. Those
   * that wait without a message of the queue get one.
   */
  async sweep(): Promise<void> {
    for (const job of await openJobs(db.orm, [...worked.keys()])) {
      const { kind, queued } = worked.get(job.kind)!
      const { queueId, status, aliveAtMs } = job
      if (queueId === null ? aliveAtMs > now() - SILENT_MS : await queue.isOpen(queued, { id: queueId })) continue
      await db.orm.transaction(async (tx) => {
        // Not begun: what was to carry it was lost, or was never sent, not the job.
        if (status === 'queued' && queueId !== null) await requeue(tx, kind, job)
        else await endJob(tx, kind, { id: job.id, queueId }, { status: 'failed', error: kind.givenUp }, now())
      })
    }
  },

  /** Deletes what is over and no longer kept. Answers how many went. */
  async prune(): Promise<number> {
    await deletePartsOfOld(db.orm, now() - PARTS_KEPT_MS)
    const old = [...worked.values()].flatMap(({ kind: { name, keptMs } }) =>
      keptMs === undefined ? [] : [oldJobs(name, now() - keptMs)],
    )
    return pruneRows(db.orm, old)
  },
})

/** Asking for jobs, following, cancelling and carrying them out, of every kind. */
export function createJobs(deps: JobsDeps) {
  const { db, queue, log, now } = deps
  const shared = sendingOf(deps)
  const help = createHelp({ orm: db.orm, log, now }, queue)
  const { worked, send, requeue } = shared
  const requireRoom = async (tx: Orm, { name, limit }: AnyKind, userId: string | null) => {
    if (userId === null || limit === undefined || (await countOpen(tx, { name }, userId)) < limit.most) return
    throw new AppError('too_many_requests', limit.error, { retryAfterS: limit.retryAfterS })
  }

  /** Throws `not_found` where the viewer may not see it. */
  async function read<K extends AnyKind>(kind: K, id: string, viewer: Asker, orm: Orm = db.orm): Promise<JobOf<K>> {
    const job = await findJob(orm, kind, id)
    if (job === undefined || !maySee(job, viewer)) throw new AppError('not_found', kind.unknown)
    return job
  }
  return {
    ...upkeepOf(deps, shared),

    read,

    requeue,

    /**
     * Queues a job, or joins the one of its key that is open, as `meet` says; a job without a
     * key meets none. Throws `too_many_requests`, and what `meet`
     * throws.
     */
    async request<K extends AnyKind>(
      tx: Orm,
      kind: K,
      { userId, key, title, payload }: Pick<NewJob<K>, 'userId' | 'key' | 'title' | 'payload'>,
      meet?: (open: JobOf<K>) => Meeting<JobOf<K>['payload']>,
    ): Promise<{ id: string; isNew: boolean }> {
      await lockUntilCommit(tx, `jobs of ${userId}`)
      const earlier = key === null ? undefined : await holdNewest(tx, kind, key, kind.resumes ? 'any' : 'open')
      if (earlier !== undefined && earlier.finishedAtMs !== null) {
        await requireRoom(tx, kind, userId)
        await requeue(tx, kind, earlier, { payload, userId })
        return { id: earlier.id, isNew: true }
      }
      const met = earlier === undefined ? undefined : meet?.(earlier)
      if (earlier !== undefined && met?.join === true) {
        await joinJob(tx, earlier.id, { userId, payload: met.payload })
        return { id: earlier.id, isNew: false }
      }
      await requireRoom(tx, kind, userId)
      if (earlier !== undefined && met?.join === false)
        await endJob(tx, kind, { id: earlier.id }, { status: 'cancelled', error: met.error }, now())
      const turn = await nextTurn(tx, kind.name, userId)
      const id = newId()
      await send(tx, kind, await insertJob(tx, kind, { id, key, title, userId, payload, turn, queueId: id }, now()))
      return { id, isNew: true }
    },

    /**
     * Cancels at once; a worker that is at it stops within about a second. Throws `not_found`, `forbidden` for who has only
     * joined, and `job_not_running`.
     */
    async cancel<K extends AnyKind>(tx: Orm, kind: K, id: string, asker: Asker) {
      if (!mayCancel(await read(kind, id, asker, tx), asker))
        throw new AppError(
          'forbidden',
          `Somebody else asked for this ${wordOf(kind)} first. They or an admin may cancel it.`,
        )
      const job = await endJob(tx, kind, { id }, { status: 'cancelled', error: null }, now())
      if (job === undefined) throw new AppError('job_not_running', `This ${wordOf(kind)} is already over.`)
      return job
    },

    /**
     * Queues a job again that is over, for who asked: any that failed for admins; of a kind that goes on also one that was
     * cancelled, and for who asked. Answers it as it was. Throws `not_found`, `forbidden`, `conflict`, `too_many_requests`.
     */
    async resume<K extends AnyKind>(tx: Orm, kind: K, id: string, asker: Asker) {
      const job = await read(kind, id, asker, tx)
      if (!(kind.goesOn ? mayCancel(job, asker) : asker.role === 'admin'))
        throw new AppError('forbidden', `Only ${kind.goesOn ? 'who asked for it or ' : ''}an admin may run it again.`)
      const isOver = job.status === 'failed' || (job.status === 'cancelled' && kind.goesOn)
      const refusal = new AppError('conflict', `This ${wordOf(kind)} neither failed nor was cancelled.`)
      if (!isOver) throw refusal
      await lockUntilCommit(tx, `jobs of ${job.userId}`)
      await requireRoom(tx, kind, job.userId)
      if (!(await requeue(tx, kind, job))) throw refusal
      return job
    },

    /** Does parts of jobs that other workers carry out. */
    help: () => help.work(),

    /** Takes jobs of a kind from the queue, one at a time in this process. `after` runs once one was carried out. */
    async work<P, G extends Progress, R, M>(
      kind: Kind<P, G, R>,
      work: Work<P, G, R, M> | SharedWork<P, G, R, M>,
      after?: (id: string) => Promise<void>,
    ): Promise<void> {
      const queued = queueOf(kind)
      worked.set(kind.name, { kind, queued })
      if ('open' in work) help.know(kind, work)
      const callHelp = (id: string, parts: number) => help.call(kind.name, id, parts)
      await queue.work(queued, { concurrency: 1 }, async ({ id: queueId, payload: { id }, signal }) => {
        const carry = () => carryOut({ orm: db.orm, log, now, callHelp }, kind, work, { id, queueId }, signal)
        await ('open' in work ? help.alone(carry) : carry())
        await after?.(id)
      })
    },
  }
}

export type Jobs = ReturnType<typeof createJobs>
