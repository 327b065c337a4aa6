import { deserialize, serialize } from 'node:v8'
import type { Orm } from '@shapecast/platform/database/database'
import { and, asc, count, eq, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { jobParts, jobs } from './tables.ts'

/** A part is taken from a worker that was silent for so long. */
export const LEASE_MS = 15_000

/** Parts of one job on one basis. */
export interface PartsOf {
  readonly jobId: string
  readonly basis: string
}
const ofBasis = ({ jobId, basis }: PartsOf) => and(eq(jobParts.jobId, jobId), eq(jobParts.basis, basis))

/** Makes the parts that are not there, and deletes those of another basis. Answers whether there were any of these. */
export async function beginParts(orm: NodePgDatabase, { jobId, basis }: PartsOf, parts: number): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const { rowCount } = await tx.delete(jobParts).where(and(eq(jobParts.jobId, jobId), ne(jobParts.basis, basis)))
    await tx.execute(sql`insert into ${jobParts} (job_id, part, basis)
      select ${jobId}::uuid, part, ${basis} from generate_series(0, ${parts - 1}::int) as part on conflict do nothing`)
    return (rowCount ?? 0) > 0
  })
}

/** Takes the first part that nobody has, for as long as a lease lasts; null where there is none, or the job does not run. */
export async function claimPart(orm: Orm, of: PartsOf, holder: string, nowMs: number): Promise<number | null> {
  const free = orm
    .select({ part: jobParts.part })
    .from(jobParts)
    .where(and(ofBasis(of), isFree(nowMs)))
    .orderBy(asc(jobParts.part))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await orm
    .update(jobParts)
    .set({ holder, leaseUntilMs: nowMs + LEASE_MS })
    .where(and(ofBasis(of), sql`${jobParts.part} = ${free}`, isRunning(of.jobId)))
    .returning({ part: jobParts.part })
  return row?.part ?? null
}

const isRunning = (jobId: string) =>
  sql`exists (select 1 from ${jobs} where ${jobs.id} = ${jobId}::uuid and ${jobs.status} = 'running')`

/** Changes until when the parts of a holder are its own. */
export async function leaseParts(orm: Orm, of: PartsOf, holder: string, leaseUntilMs: number): Promise<void> {
  await orm
    .update(jobParts)
    .set({ leaseUntilMs })
    .where(and(ofBasis(of), eq(jobParts.holder, holder), isNull(jobParts.bytes)))
}

/** Keeps the result of a part: every worker gets the same one. */
export async function putPart(orm: Orm, of: PartsOf, part: number, made: unknown): Promise<void> {
  await orm
    .update(jobParts)
    .set({ bytes: serialize(made) })
    .where(and(ofBasis(of), eq(jobParts.part, part), isNull(jobParts.bytes)))
}

const isFree = (nowMs: number) => and(isNull(jobParts.bytes), lt(jobParts.leaseUntilMs, nowMs))

/** What the parts of a job rest on that nobody has; null where all are taken. */
export async function basisOfFree(orm: Orm, jobId: string, nowMs: number): Promise<string | null> {
  const [row] = await orm
    .select({ basis: jobParts.basis })
    .from(jobParts)
    .where(and(eq(jobParts.jobId, jobId), isFree(nowMs)))
    .limit(1)
  return row?.basis ?? null
}

export async function countDone(orm: Orm, of: PartsOf): Promise<number> {
  const [row] = await orm
    .select({ done: count(jobParts.bytes) })
    .from(jobParts)
    .where(ofBasis(of))
  return row!.done
}

/** What all parts that are done came to, in their order. */
export async function readParts<Part>(orm: Orm, of: PartsOf): Promise<Part[]> {
  const rows = await orm
    .select({ bytes: jobParts.bytes })
    .from(jobParts)
    .where(and(ofBasis(of), isNotNull(jobParts.bytes)))
    .orderBy(asc(jobParts.part))
  return rows.map(({ bytes }) => deserialize(bytes!) as Part)
}

export const deleteParts = (orm: Orm, jobId: string) => orm.delete(jobParts).where(eq(jobParts.jobId, jobId))

/** Deletes the parts of jobs that were over before a time. */
export async function deletePartsOfOld(orm: Orm, beforeMs: number): Promise<void> {
  const old = orm.select({ id: jobs.id }).from(jobs).where(lt(jobs.finishedAtMs, beforeMs))
  await orm.delete(jobParts).where(inArray(jobParts.jobId, old))
}
