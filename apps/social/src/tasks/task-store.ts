import { AppError } from '@shapecast/contracts/errors'
import type { TaskChange, TaskDraft, TaskFilter } from '@shapecast/contracts/tasks'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { type KeyedRequest, usedKey } from '@shapecast/platform/http/keyed-request'
import { and, arrayContains, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { userNames } from '../users/user-names.ts'
import { tasks, votes } from './tables.ts'

export type TaskRow = typeof tasks.$inferSelect

/** Tasks with the vote of somebody; of nobody there is none. */
const select = (orm: Orm, askerId: string | null) =>
  orm
    .select({
      _id: tasks.id,
      title: tasks.title,
      description: tasks.description,
      status: tasks.status,
      priority: tasks.priority,
      tags: tasks.tags,
      author: userNames,
      votesFor: tasks.votesFor,
      votesAgainst: tasks.votesAgainst,
      myVote: votes.voteType,
      createdAt: tasks.createdAtMs,
      updatedAt: tasks.updatedAtMs,
    })
    .from(tasks)
    .leftJoin(userNames, eq(userNames.id, tasks.authorId))
    .leftJoin(votes, askerId === null ? sql`false` : and(eq(votes.taskId, tasks.id), eq(votes.userId, askerId)))

export const missingTask = () => new AppError('not_found', 'This task does not exist, or it was deleted.')

/** A page of the tasks that are not deleted, the newest first, and how many the filter fits. */
export async function listTasks(orm: Orm, filter: TaskFilter, askerId: string | null) {
  const { status, priority, author, tags, page, limit } = filter
  const wanted = and(
    isNull(tasks.deletedAtMs),
    status && eq(tasks.status, status),
    priority && eq(tasks.priority, priority),
    author === undefined ? undefined : eq(tasks.authorId, author),
    tags !== undefined && tags.length > 0 ? arrayContains(tasks.tags, tags) : undefined,
  )
  const found = await select(orm, askerId)
    .where(wanted)
    .orderBy(desc(tasks.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { found, total: await orm.$count(tasks, wanted) }
}

const isThere = (id: string) => and(eq(tasks.id, id), isNull(tasks.deletedAtMs))

/** A task as somebody sees it. Throws `not_found`. */
export async function findTask(orm: Orm, id: string, askerId: string) {
  const [task] = await select(orm, askerId).where(isThere(id))
  if (task === undefined) throw missingTask()
  return task
}

/** The task as it is, deleted or not, and stays until the transaction ends. */
export async function holdTask(tx: Orm, id: string): Promise<TaskRow | undefined> {
  const [row] = await tx.select().from(tasks).where(eq(tasks.id, id)).for('update')
  return row
}

/** A task that is not deleted, held until the transaction ends where `hold` is set. Throws `not_found`. */
export async function requireTask(orm: Orm, id: string, options?: { hold: true }): Promise<TaskRow> {
  const query = orm.select().from(tasks).where(isThere(id))
  const [task] = await (options?.hold ? query.for('update') : query)
  if (task === undefined) throw missingTask()
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

/** Changes columns of a task, or marks it as deleted by somebody. */
export async function updateTask(
  tx: Orm,
  id: string,
  change: TaskChange & Partial<Pick<TaskRow, 'updatedAtMs' | 'deletedAtMs' | 'deletedBy'>>,
): Promise<void> {
  await tx.update(tasks).set(change).where(eq(tasks.id, id))
}

/** How many tasks a user has proposed since `sinceMs`, deleted ones too; one at a time a user until the transaction ends. */
export async function proposedSince(tx: Orm, authorId: string, sinceMs: number): Promise<number> {
  await lockUntilCommit(tx, `tasks of ${authorId}`)
  return tx.$count(tasks, and(eq(tasks.authorId, authorId), gt(tasks.createdAtMs, sinceMs)))
}
