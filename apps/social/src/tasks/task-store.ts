import { AppError } from '@shapecast/contracts/errors'
import type { TaskChange, TaskDraft, TaskFilter } from '@shapecast/contracts/tasks'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { type KeyedRequest, usedKey } from '@shapecast/platform/http/keyed-request'
import { and, arrayContains, count, desc, eq, isNull, sql } from 'drizzle-orm'
import { userNames } from '../users/user-names.ts'
import { tasks } from './tables.ts'

const columns = { task: tasks, authorName: userNames.username }
export type StoredTask = { task: typeof tasks.$inferSelect; authorName: string | null }

const select = (orm: Orm) => orm.select(columns).from(tasks).leftJoin(userNames, eq(userNames.id, tasks.authorId))

/** A page of the tasks that are not deleted, the newest first, and how many the filter fits. */
export async function listTasks(orm: Orm, filter: TaskFilter): Promise<{ rows: StoredTask[]; total: number }> {
  const { status, priority, author, tags, page, limit } = filter
  const wanted = and(
    isNull(tasks.deletedAtMs),
    status && eq(tasks.status, status),
    priority && eq(tasks.priority, priority),
    author === undefined ? undefined : eq(tasks.authorId, author),
    tags !== undefined && tags.length > 0 ? arrayContains(tasks.tags, tags) : undefined,
  )
  const rows = await select(orm)
    .where(wanted)
    .orderBy(desc(tasks.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [{ total } = { total: 0 }] = await orm.select({ total: count() }).from(tasks).where(wanted)
  return { rows, total }
}

/** A task, deleted or not. */
export async function findTask(orm: Orm, id: string): Promise<StoredTask | undefined> {
  const [row] = await select(orm).where(eq(tasks.id, id))
  return row
}

/** The task as it is, deleted or not, and stays until the transaction ends. */
export async function holdTask(tx: Orm, id: string): Promise<typeof tasks.$inferSelect | undefined> {
  const [row] = await tx.select().from(tasks).where(eq(tasks.id, id)).for('update')
  return row
}

export const missingTask = () => new AppError('not_found', 'This task does not exist, or it was deleted.')

/** A task that is not deleted, held until the transaction ends where `hold` is set. Throws `not_found`. */
export async function requireTask(orm: Orm, id: string, options?: { hold: true }): Promise<typeof tasks.$inferSelect> {
  const task = options?.hold ? await holdTask(orm, id) : (await findTask(orm, id))?.task
  if (task === undefined || task.deletedAtMs !== null) throw missingTask()
  return task
}

/** The id of a new task; null where this user has proposed one with that key already. */
export async function insertTask(
  tx: Orm,
  draft: TaskDraft,
  { authorId, request, nowMs }: { authorId: string; request: KeyedRequest | null; nowMs: number },
): Promise<string | null> {
  const [row] = await tx
    .insert(tasks)
    .values({
      ...draft,
      status: 'proposed',
      authorId,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      requestKey: request?.key ?? null,
      requestHash: request?.hash ?? null,
    })
    .onConflictDoNothing()
    .returning({ id: tasks.id })
  return row?.id ?? null
}

/** The task that a user proposed with this request. Throws `conflict` where its key stood for another one. */
export async function taskOfRequest(
  orm: Orm,
  authorId: string,
  request: KeyedRequest | null,
): Promise<string | undefined> {
  if (request === null) return undefined
  const [row] = await orm
    .select({ id: tasks.id, hash: tasks.requestHash })
    .from(tasks)
    .where(and(eq(tasks.authorId, authorId), eq(tasks.requestKey, request.key)))
  if (row !== undefined && row.hash !== request.hash) throw usedKey()
  return row?.id
}

export async function updateTask(tx: Orm, id: string, change: TaskChange, nowMs: number): Promise<void> {
  await tx
    .update(tasks)
    .set({ ...change, updatedAtMs: nowMs })
    .where(eq(tasks.id, id))
}

export async function markDeleted(tx: Orm, id: string, by: { userId: string; atMs: number } | null): Promise<void> {
  await tx
    .update(tasks)
    .set({ deletedAtMs: by?.atMs ?? null, deletedBy: by?.userId ?? null })
    .where(eq(tasks.id, id))
}

/** How many tasks a user has proposed since `sinceMs`, deleted ones too; one at a time a user until the transaction ends. */
export async function proposedSince(tx: Orm, authorId: string, sinceMs: number): Promise<number> {
  await lockUntilCommit(tx, `tasks of ${authorId}`)
  const [{ made } = { made: 0 }] = await tx
    .select({ made: count() })
    .from(tasks)
    .where(and(eq(tasks.authorId, authorId), sql`${tasks.createdAtMs} > ${sinceMs}`))
  return made
}
