import type { JobKind } from '@shapecast/contracts/job-status'
import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { type KeptRows, ofUser, type Whose } from '../kept-of-users.ts'
import { bytea, tradingSchema } from '../trading-schema.ts'

/** Every job of every kind. `queued` and `running` are the open states; of a key at most one job is open. */
export const jobs = tradingSchema.table(
  'jobs',
  {
    id: idColumn(),
    kind: text('kind').notNull(),
    /** What it is about, by which an open job is joined; null where two of them are never the same. */
    key: text('key'),
    /** What it is about, for people. */
    title: text('title').notNull().default(''),
    /** Who asked; null for the installation itself and the command line. */
    userId: uuid('user_id'),
    /** Users who asked for the same while it was open. */
    joined: uuid('joined').array().notNull().default(sql`'{}'`),
    /** Who sees it beside those who asked and admins. */
    visibility: text('visibility', { enum: ['askers', 'managers'] }).notNull(),
    payload: jsonb('payload').notNull(),
    status: text('status', { enum: ['queued', 'running', 'completed', 'failed', 'cancelled'] }).notNull(),
    progress: jsonb('progress').notNull(),
    result: jsonb('result'),
    error: text('error'),
    /** How often a worker has begun with it. What an earlier attempt still writes is refused. */
    attempts: integer('attempts').notNull().default(0),
    /** Its place among the jobs of all users: see turns.ts. */
    turn: bigint('turn', { mode: 'number' }).notNull().default(0),
    /** The message of the queue that carries it; null where a command carries it out by itself. */
    queueId: uuid('queue_id'),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    /** When its worker was last heard of. */
    aliveAtMs: bigint('alive_at_ms', { mode: 'number' }).notNull(),
    finishedAtMs: bigint('finished_at_ms', { mode: 'number' }),
  },
  (t) => [
    uniqueIndex('jobs_one_open').on(t.kind, t.key).where(sql`${t.status} in ('queued', 'running')`),
    index('jobs_by_key').on(t.kind, t.key, t.createdAtMs.desc()),
    index('jobs_by_user').on(t.userId, t.kind, t.createdAtMs.desc()),
    index('jobs_by_turn').on(t.kind, t.turn.desc()),
    index('jobs_failed').on(t.finishedAtMs.desc()).where(sql`${t.status} = 'failed'`),
  ],
)
export type JobRow = typeof jobs.$inferSelect

/** Parts of open jobs, and of those that failed or were cancelled and may go on; a stored result makes them superfluous. */
export const jobParts = tradingSchema.table(
  'job_parts',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    part: integer('part').notNull(),
    /** SHA-256 (hex) of all that it rests on. */
    basis: text('basis').notNull(),
    /** Who does it, and until when nobody else does. */
    holder: uuid('holder'),
    leaseUntilMs: bigint('lease_until_ms', { mode: 'number' }).notNull().default(0),
    /** What it came to; null until it is done. */
    bytes: bytea('bytes'),
  },
  (t) => [primaryKey({ name: 'job_parts_key', columns: [t.jobId, t.part] })],
)

/** Jobs of a kind that a user asked for; `goes` says that they are deleted with the user. */
export const jobsOfUser = (kind: JobKind, goes = false): KeptRows => {
  const where = (whose: Whose) => sql`${ofUser(whose)} and kind = ${kind}`
  const columns = 'id, payload, status, progress, result, error, created_at_ms, finished_at_ms'
  return { table: jobs, columns, where, ...(goes && { deleted: where }) }
}
