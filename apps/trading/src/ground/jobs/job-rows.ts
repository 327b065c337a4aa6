import { AppError } from '@shapecast/contracts/errors'
import type { JobKind } from '@shapecast/contracts/job-status'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { and, arrayContains, desc, eq, gte, inArray, isNull, max, ne, not, or, type SQL, sql } from 'drizzle-orm'
import type { Asker } from '../ownership.ts'
import { AT_ONCE } from '../prune-rows.ts'
import { deleteParts } from './job-parts.ts'
import type { AnyKind, AnySharedWork, JobOf, Progress } from './kind.ts'
import { type JobRow, jobs } from './tables.ts'

/** Each change of state is one statement that holds only from the states it may come from. */
const isOpen = inArray(jobs.status, ['queued', 'running'])
const ofKind = ({ name }: Pick<AnyKind, 'name'>, ...more: (SQL | undefined)[]) => and(eq(jobs.kind, name), ...more)

export type NewJob<K extends AnyKind> = Pick<
  JobOf<K>,
  'id' | 'key' | 'title' | 'userId' | 'payload' | 'turn' | 'queueId'
>

/** Adds a queued job. One of the same key must not be open. */
export async function insertJob<K extends AnyKind>(tx: Orm, kind: K, job: NewJob<K>, nowMs: number): Promise<JobOf<K>> {
  const { name, visibility, start: progress } = kind
  const at = { createdAtMs: nowMs, aliveAtMs: nowMs }
  const added = { ...job, ...at, kind: name, visibility, status: 'queued', progress } as const
  const [row] = await tx.insert(jobs).values(added).returning()
  return row as JobOf<K>
}

const newestOf = (orm: Orm, kind: AnyKind, ...conditions: (SQL | undefined)[]) =>
  orm
    .select()
    .from(jobs)
    .where(ofKind(kind, ...conditions))
    .orderBy(desc(jobs.createdAtMs), desc(jobs.id))

export async function findJob<K extends AnyKind>(orm: Orm, kind: K, id: string): Promise<JobOf<K> | undefined> {
  const [row] = await newestOf(orm, kind, eq(jobs.id, id))
  return row as JobOf<K> | undefined
}

/** The kind of a job. Throws `not_found`. */
export async function requireKind(orm: Orm, id: string): Promise<JobKind> {
  const [row] = await orm.select({ kind: jobs.kind }).from(jobs).where(eq(jobs.id, id))
  if (row === undefined) throw new AppError('not_found', 'This job does not exist.')
  return row.kind as JobKind
}

const isIn = { any: undefined, open: isOpen, completed: eq(jobs.status, 'completed') }

/** The newest job of a key, of this state where one is named. */
export async function newestJob<K extends AnyKind>(
  orm: Orm,
  kind: K,
  key: string,
  state: keyof typeof isIn = 'any',
): Promise<JobOf<K> | undefined> {
  const [row] = await newestOf(orm, kind, eq(jobs.key, key), isIn[state]).limit(1)
  return row as JobOf<K> | undefined
}

/** As `newestJob`; what it answers stays so until the transaction ends, and nobody else asks for a job of this key. */
export async function holdNewest<K extends AnyKind>(
  tx: Orm,
  kind: K,
  key: string,
  state: 'any' | 'open' = 'any',
): Promise<JobOf<K> | undefined> {
  await lockUntilCommit(tx, `${kind.name} ${key}`)
  const [row] = await newestOf(tx, kind, eq(jobs.key, key), isIn[state]).limit(1).for('update')
  return row as JobOf<K> | undefined
}

/** The newest jobs of a kind: those that a user has asked for or joined, or everybody's for an admin. */
export async function listJobs<K extends AnyKind>(
  orm: Orm,
  kind: K,
  { userId, role }: Asker,
  limit: number,
): Promise<JobOf<K>[]> {
  const asked = role === 'admin' ? undefined : or(eq(jobs.userId, userId), arrayContains(jobs.joined, [userId]))
  return (await newestOf(orm, kind, asked).limit(limit)) as JobOf<K>[]
}

export const openJobs = (orm: Orm, kinds: readonly string[]): Promise<JobRow[]> =>
  orm
    .select()
    .from(jobs)
    .where(and(inArray(jobs.kind, [...kinds]), isOpen))

export const countOpen = (orm: Orm, kind: Pick<AnyKind, 'name'>, userId: string): Promise<number> =>
  orm.$count(jobs, ofKind(kind, eq(jobs.userId, userId), isOpen))

/** The newest jobs of every kind that failed since a time. */
export const failedJobs = (orm: Orm, sinceMs: number, limit: number): Promise<JobRow[]> =>
  orm
    .select()
    .from(jobs)
    .where(and(eq(jobs.status, 'failed'), gte(jobs.finishedAtMs, sinceMs)))
    .orderBy(desc(jobs.finishedAtMs))
    .limit(limit)

/** Changes an open job for somebody who asks for the same. */
export async function joinJob(
  tx: Orm,
  id: string,
  change: { userId: string | null; payload?: unknown },
): Promise<void> {
  const { userId, payload } = change
  const joins = sql`case when ${jobs.userId} = ${userId}::uuid or ${userId}::uuid = any(${jobs.joined}) or ${userId}::uuid is null
    then ${jobs.joined} else ${jobs.joined} || ${userId}::uuid end`
  await tx
    .update(jobs)
    .set({ joined: joins, ...(payload === undefined ? {} : { payload }) })
    .where(and(eq(jobs.id, id), isOpen))
}

/**
 * Queued, or running under a worker that has died → running, as one attempt more. Undefined where it is over, or is carried
 * by another message of the queue.
 */
export async function beginJob<K extends AnyKind>(
  orm: Orm,
  kind: K,
  id: string,
  queueId: string | null,
  nowMs: number,
): Promise<JobOf<K> | undefined> {
  const [row] = await orm
    .update(jobs)
    .set({ status: 'running', attempts: sql`${jobs.attempts} + 1`, aliveAtMs: nowMs, error: null })
    .where(ofKind(kind, eq(jobs.id, id), isOpen, sql`${jobs.queueId} is not distinct from ${queueId}::uuid`))
    .returning()
  return row as JobOf<K> | undefined
}

type Attempt = Pick<JobRow, 'id' | 'attempts'>
const ofAttempt = ({ id, attempts }: Attempt) =>
  and(eq(jobs.id, id), eq(jobs.status, 'running'), eq(jobs.attempts, attempts))

/** Says that an attempt is alive, and how far it is. False where the job is no longer this attempt's. */
export async function beat(
  orm: Orm,
  attempt: Attempt,
  progress: Progress | undefined,
  nowMs: number,
): Promise<boolean> {
  const rows = await orm
    .update(jobs)
    .set({ aliveAtMs: nowMs, ...(progress === undefined ? {} : { progress }) })
    .where(ofAttempt(attempt))
    .returning({ id: jobs.id })
  return rows.length > 0
}

/** Running → completed, in a transaction. Answers the job where it has to run again. */
export async function completeJob<K extends AnyKind>(
  tx: Orm,
  kind: K,
  work: Pick<AnySharedWork, 'complete'>,
  attempt: JobOf<K>,
  made: unknown,
  nowMs: number,
): Promise<JobOf<K> | 'completed' | 'lost'> {
  const [row] = await tx.select().from(jobs).where(ofAttempt(attempt)).for('update')
  const job = row as JobOf<K> | undefined
  if (job === undefined) return 'lost'
  const stored = await work.complete(tx, job, made, nowMs)
  if (stored === null) return job
  await deleteParts(tx, job.id)
  const end = { ...stored, status: 'completed', finishedAtMs: nowMs } as const
  await tx.update(jobs).set(end).where(eq(jobs.id, job.id))
  await kind.ended?.(tx, { ...job, ...end }, nowMs)
  return 'completed'
}

/**
 * Queued or running → failed or cancelled, in a transaction; of an attempt or a message of the queue only where the job is
 * still theirs. Undefined where it was already over.
 */
export async function endJob<K extends AnyKind>(
  tx: Orm,
  kind: K,
  which: Attempt | Pick<JobRow, 'id' | 'queueId'> | Pick<JobRow, 'id'>,
  end: { status: 'failed' | 'cancelled'; error: string | null },
  nowMs: number,
): Promise<JobOf<K> | undefined> {
  const theirs = 'attempts' in which ? ofAttempt(which) : eq(jobs.id, which.id)
  const carried = 'queueId' in which ? sql`${jobs.queueId} is not distinct from ${which.queueId}::uuid` : undefined
  const [row] = await tx
    .update(jobs)
    .set({ ...end, finishedAtMs: nowMs })
    .where(ofKind(kind, isOpen, theirs, carried))
    .returning()
  const job = row as JobOf<K> | undefined
  if (job !== undefined) await kind.ended?.(tx, job, nowMs)
  return job
}

/**
 * Queues a job again, as it was found, under another message of the queue, or under none for a command that carries it out
 * by itself. Undefined where it has changed since.
 */
export async function requeueJob(
  tx: Orm,
  { id, status, queueId }: Pick<JobRow, 'id' | 'status' | 'queueId'>,
  change: { queueId: string | null; payload?: unknown; userId?: string | null; turn?: number },
  nowMs: number,
): Promise<JobRow | undefined> {
  const again = { status: 'queued', result: null, error: null, finishedAtMs: null, aliveAtMs: nowMs } as const
  const [row] = await tx
    .update(jobs)
    .set({ ...again, ...change })
    .where(and(eq(jobs.id, id), eq(jobs.status, status), sql`${jobs.queueId} is not distinct from ${queueId}::uuid`))
    .returning()
  return row
}

/** Deletes the other jobs of a key, which are all over while this one is at its end. */
export async function deleteEarlier(tx: Orm, { id, kind, key }: Pick<JobRow, 'id' | 'kind' | 'key'>): Promise<void> {
  await tx.delete(jobs).where(and(eq(jobs.kind, kind), eq(jobs.key, key!), ne(jobs.id, id)))
}

export const deleteOfKeys = (tx: Orm, kind: Pick<AnyKind, 'name'>, keys: readonly string[]) =>
  tx.delete(jobs).where(ofKind(kind, inArray(jobs.key, [...keys])))

/** Deletes a job that is over; false where it is not, or there is none. */
export async function deleteOver(tx: Orm, kind: Pick<AnyKind, 'name'>, id: string): Promise<boolean> {
  return ((await tx.delete(jobs).where(ofKind(kind, eq(jobs.id, id), not(isOpen)))).rowCount ?? 0) > 0
}

/** Deletes jobs of a kind that were over before a time, as `pruneRows` does it. */
export const oldJobs = (kind: string, beforeMs: number): SQL =>
  sql`delete from ${jobs} where id in (select id from ${jobs} where kind = ${kind} and finished_at_ms < ${beforeMs}
    limit ${AT_ONCE})`

/**
 * The turn of a user's next job of a kind. Jobs are taken by turn, the oldest first within one: each user has one a turn,
 * and a user who comes later joins at the turn that is being worked on, so that twenty trainings of one user hold up nobody
 * and nobody waits for ever (start-time fair queueing: Goyal, Vin and Cheng, IEEE/ACM Transactions on Networking 5, 1997).
 * The caller holds the user.
 */
export async function nextTurn(tx: Orm, kind: JobKind, userId: string | null): Promise<number> {
  const turn = async (condition: ReturnType<typeof and>) => {
    const [row] = await tx
      .select({ turn: max(jobs.turn) })
      .from(jobs)
      .where(and(eq(jobs.kind, kind), condition))
    return row?.turn ?? null
  }
  const started = await turn(inArray(jobs.status, ['running', 'completed', 'failed']))
  const own = await turn(and(userId === null ? isNull(jobs.userId) : eq(jobs.userId, userId), isOpen))
  return Math.max(started ?? 0, own === null ? 0 : own + 1)
}
