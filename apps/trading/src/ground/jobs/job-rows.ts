import type { JobKind } from '@shapecast/contracts/job-status'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { and, arrayContains, desc, eq, gte, inArray, lt, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { deleteParts } from './job-parts.ts'
import type { Job, Kind, Progress, Work } from './kind.ts'
import { type JobRow, jobs } from './tables.ts'

/** Each change of state is one statement that holds only from the states it may come from. */
const isOpen = inArray(jobs.status, ['queued', 'running'])
const ofKind = ({ name }: Pick<Kind<never>, 'name'>, ...more: (SQL | undefined)[]) => and(eq(jobs.kind, name), ...more)
const newestFirst = [desc(jobs.createdAtMs), desc(jobs.id)]

export interface NewJob<Payload> {
  id: string
  key: string | null
  title: string
  userId: string | null
  payload: Payload
  turn: number
  queueId: string | null
}

/** Adds a queued job. One of the same key must not be open. */
export async function insertJob<P, G extends Progress, R>(
  tx: Orm,
  kind: Kind<P, G, R>,
  job: NewJob<P>,
  nowMs: number,
): Promise<Job<P, G, R>> {
  const { name, visibility, start: progress } = kind
  const at = { createdAtMs: nowMs, aliveAtMs: nowMs }
  const [row] = await tx
    .insert(jobs)
    .values({ ...job, ...at, kind: name, visibility, status: 'queued', progress })
    .returning()
  return row as Job<P, G, R>
}

export async function findJob<P, G extends Progress, R>(
  orm: Orm,
  kind: Kind<P, G, R>,
  id: string,
): Promise<Job<P, G, R> | undefined> {
  const [row] = await orm
    .select()
    .from(jobs)
    .where(ofKind(kind, eq(jobs.id, id)))
  return row as Job<P, G, R> | undefined
}

/** The kind of a job, or undefined if there is no such job. */
export async function kindOfJob(orm: Orm, id: string): Promise<JobKind | undefined> {
  const [row] = await orm.select({ kind: jobs.kind }).from(jobs).where(eq(jobs.id, id))
  return row?.kind as JobKind | undefined
}

const newestOf = <P, G extends Progress, R>(
  orm: Orm,
  kind: Kind<P, G, R>,
  key: string,
  state: 'any' | 'open' | 'completed',
) =>
  orm
    .select()
    .from(jobs)
    .where(
      ofKind(kind, eq(jobs.key, key), state === 'any' ? undefined : state === 'open' ? isOpen : eq(jobs.status, state)),
    )
    .orderBy(...newestFirst)
    .limit(1)

/** The newest job of a key, of this state where one is named. */
export async function newestJob<P, G extends Progress, R>(
  orm: Orm,
  kind: Kind<P, G, R>,
  key: string,
  state: 'any' | 'open' | 'completed' = 'any',
): Promise<Job<P, G, R> | undefined> {
  const [row] = await newestOf(orm, kind, key, state)
  return row as Job<P, G, R> | undefined
}

/** As `newestJob`; what it answers stays so until the transaction ends, and nobody else asks for a job of this key. */
export async function holdNewest<P, G extends Progress, R>(
  tx: Orm,
  kind: Kind<P, G, R>,
  key: string,
  state: 'any' | 'open' = 'any',
): Promise<Job<P, G, R> | undefined> {
  await lockUntilCommit(tx, `${kind.name} ${key}`)
  const [row] = await newestOf(tx, kind, key, state).for('update')
  return row as Job<P, G, R> | undefined
}

/** The newest jobs of a kind: those that a user has asked for or joined, or everybody's. */
export async function listJobs<P, G extends Progress, R>(
  orm: Orm,
  kind: Kind<P, G, R>,
  userId: string | 'all',
  limit: number,
): Promise<Job<P, G, R>[]> {
  const asked = userId === 'all' ? undefined : or(eq(jobs.userId, userId), arrayContains(jobs.joined, [userId]))
  const rows = await orm
    .select()
    .from(jobs)
    .where(ofKind(kind, asked))
    .orderBy(...newestFirst)
    .limit(limit)
  return rows as Job<P, G, R>[]
}

export const openJobs = (orm: Orm, kinds: readonly string[]): Promise<JobRow[]> =>
  orm
    .select()
    .from(jobs)
    .where(and(inArray(jobs.kind, [...kinds]), isOpen))

export const countOpen = (orm: Orm, kind: Pick<Kind<never>, 'name'>, userId: string): Promise<number> =>
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
export async function beginJob<P, G extends Progress, R>(
  orm: Orm,
  kind: Kind<P, G, R>,
  id: string,
  queueId: string | null,
  nowMs: number,
): Promise<Job<P, G, R> | undefined> {
  const [row] = await orm
    .update(jobs)
    .set({ status: 'running', attempts: sql`${jobs.attempts} + 1`, aliveAtMs: nowMs, error: null })
    .where(ofKind(kind, eq(jobs.id, id), isOpen, sql`${jobs.queueId} is not distinct from ${queueId}::uuid`))
    .returning()
  return row as Job<P, G, R> | undefined
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

/** The job of an attempt until the transaction ends; undefined where it is no longer this attempt's. */
async function hold<P, G extends Progress, R>(tx: Orm, attempt: Job<P, G, R>): Promise<Job<P, G, R> | undefined> {
  const [row] = await tx.select().from(jobs).where(ofAttempt(attempt)).for('update')
  return row as Job<P, G, R> | undefined
}

/** Running → completed, in a transaction. Answers the job where it has to run again. */
export async function completeJob<P, G extends Progress, R, M>(
  tx: Orm,
  kind: Kind<P, G, R>,
  work: Pick<Work<P, G, R, M>, 'complete'>,
  attempt: Job<P, G, R>,
  made: M,
  nowMs: number,
): Promise<Job<P, G, R> | 'completed' | 'lost'> {
  const job = await hold(tx, attempt)
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
export async function endJob<P, G extends Progress, R>(
  tx: Orm,
  kind: Kind<P, G, R>,
  which: Attempt | Pick<JobRow, 'id' | 'queueId'> | Pick<JobRow, 'id'>,
  end: { status: 'failed' | 'cancelled'; error: string | null },
  nowMs: number,
): Promise<Job<P, G, R> | undefined> {
  const theirs = 'attempts' in which ? ofAttempt(which) : eq(jobs.id, which.id)
  const carried = 'queueId' in which ? sql`${jobs.queueId} is not distinct from ${which.queueId}::uuid` : undefined
  const [row] = await tx
    .update(jobs)
    .set({ ...end, finishedAtMs: nowMs })
    .where(ofKind(kind, isOpen, theirs, carried))
    .returning()
  const job = row as Job<P, G, R> | undefined
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

export const deleteOfKeys = (tx: Orm, kind: Pick<Kind<never>, 'name'>, keys: readonly string[]) =>
  tx.delete(jobs).where(ofKind(kind, inArray(jobs.key, [...keys])))

/** Deletes a job that is over; false where it is not, or there is none. */
export async function deleteOver(tx: Orm, kind: Pick<Kind<never>, 'name'>, id: string): Promise<boolean> {
  return ((await tx.delete(jobs).where(ofKind(kind, eq(jobs.id, id), not(isOpen)))).rowCount ?? 0) > 0
}

/** Deletes jobs of a kind that were over before a time. Answers how many. */
export async function deleteOld(orm: Orm, kind: string, beforeMs: number, limit: number): Promise<number> {
  const old = orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.kind, kind), lt(jobs.finishedAtMs, beforeMs)))
    .limit(limit)
  return (await orm.delete(jobs).where(inArray(jobs.id, old))).rowCount ?? 0
}
