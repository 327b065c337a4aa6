import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Task, TaskChange, TaskDraft, TaskFilter } from '@shapecast/contracts/tasks'
import { recordActivity } from '@shapecast/platform/activities'
import { type AuditEntry, recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { KeyedRequest } from '@shapecast/platform/http/keyed-request'
import { notify } from '@shapecast/platform/notify'
import { readPolicy } from '@shapecast/platform/policy'
import type { Member } from '@shapecast/platform/sessions'
import type { Social } from '../ground/social.ts'
import { nameOf } from '../users/user-names.ts'
import {
  findTask,
  holdTask,
  insertTask,
  listTasks,
  missingTask,
  proposedSince,
  requireTask,
  type TaskRow,
  taskOfRequest,
  updateTask,
} from './task-store.ts'

// The task board: listing, proposing, moving, deleting and restoring; who may is decided here.

const MOST_A_DAY = 100
const DAY_MS = 86_400_000

type Ground = Pick<Social, 'db' | 'now'>
type Asker = Pick<Member, 'userId' | 'role'>

/** Whether somebody may move and delete a task: its author and the management roles, unless the policy lets all. */
const rightsOf = async (orm: Orm, { userId, role }: Asker) => {
  const isOpen = isManager(role) || !(await readPolicy(orm)).tasksRestricted
  return (authorId: string | null | undefined): boolean => isOpen || authorId === userId
}

/** A task that somebody may change, held until the transaction ends. */
async function requireMayChange(tx: Orm, id: string, member: Member): Promise<TaskRow> {
  const task = await requireTask(tx, id, { hold: true })
  if ((await rightsOf(tx, member))(task.authorId)) return task
  throw new AppError('forbidden', 'Only its author, admins and managers may change this task.')
}

/** Writes down what was done with a task, for admins and in the feed. */
async function note(
  tx: Orm,
  doer: Member,
  action: string,
  { id, title }: Pick<TaskRow, 'id' | 'title'>,
  change: Pick<AuditEntry, 'after'> = {},
): Promise<void> {
  await recordAudit(tx, doer, { action, subject: { type: 'task', id }, ...change })
  await recordActivity(tx, { type: 'task', action, actorId: doer.userId, subject: { id, name: title } })
}

/** Tells the author of a task what somebody else did with it. */
async function tellAuthor(tx: Orm, task: TaskRow, doerId: string, done: string, nowMs: number): Promise<void> {
  if (task.authorId === null || task.authorId === doerId) return
  const text = `By ${await nameOf(tx, doerId)}.`
  const link = `/settings/tasks?task=${task.id}`
  await notify(tx, task.authorId, { kind: 'task', title: `“${task.title}” ${done}`, text, link }, nowMs)
}

export async function readTask({ db }: Ground, id: string, asker: Asker): Promise<{ task: Task }> {
  const task = await findTask(db.orm, id, asker.userId)
  return { task: { ...task, mayChange: (await rightsOf(db.orm, asker))(task.author?.id) } }
}

/** As `asker` sees them; a visitor (null) is not told the authors. */
export async function readTasks({ db }: Ground, filter: TaskFilter, asker: Asker | null) {
  const { found, total } = await listTasks(db.orm, filter, asker?.userId ?? null)
  const { page, limit } = filter
  if (asker === null)
    return { tasks: found.map((task) => ({ ...task, author: null, mayChange: false })), total, page, limit }
  const mayChange = await rightsOf(db.orm, asker)
  return { tasks: found.map((task) => ({ ...task, mayChange: mayChange(task.author?.id) })), total, page, limit }
}

/**
 * Proposes a task. The same request under the same key answers with the same task. Throws `over_limit` past 100 of one
 * user a day.
 */
export async function createTask(ground: Ground, draft: TaskDraft, member: Member, request: KeyedRequest | null) {
  const { db, now } = ground
  const { userId } = member
  const id = await db.orm.transaction(async (tx) => {
    const before = await taskOfRequest(tx, userId, request)
    if (before !== undefined) return before
    if ((await proposedSince(tx, userId, now() - DAY_MS)) >= MOST_A_DAY)
      throw new AppError('over_limit', `A user may propose ${MOST_A_DAY} tasks a day. Try again tomorrow.`)
    const made = await insertTask(tx, draft, { authorId: userId, request, nowMs: now() })
    // Another process was a moment earlier.
    if (made === null) return (await taskOfRequest(tx, userId, request))!
    await note(tx, member, 'task.created', { id: made, title: draft.title }, { after: draft })
    return made
  })
  return readTask(ground, id, member)
}

/** Moves a task or changes its priority. What is as asked already stays, and is not written down. */
export async function changeTask(ground: Ground, id: string, asked: TaskChange, member: Member) {
  const { db, now } = ground
  const { userId } = member
  await db.orm.transaction(async (tx) => {
    const task = await requireMayChange(tx, id, member)
    const before = { status: task.status, priority: task.priority }
    const after = { status: asked.status ?? task.status, priority: asked.priority ?? task.priority }
    const [isMoved, isPrioritised] = [after.status !== before.status, after.priority !== before.priority]
    if (!isMoved && !isPrioritised) return
    await updateTask(tx, id, { ...after, updatedAtMs: now() })
    await recordAudit(tx, member, { action: 'task.changed', subject: { type: 'task', id }, before, after })
    const about = { type: 'task', actorId: userId, subject: { id, name: task.title } } as const
    if (isMoved) {
      await recordActivity(tx, { ...about, action: 'task.moved', detail: after.status })
      await tellAuthor(tx, task, userId, `is now ${after.status.replaceAll('_', ' ')}`, now())
    }
    if (isPrioritised) await recordActivity(tx, { ...about, action: 'task.prioritised', detail: after.priority })
  })
  return readTask(ground, id, member)
}

export const deleteTask = ({ db, now }: Ground, id: string, member: Member): Promise<void> =>
  db.orm.transaction(async (tx) => {
    const task = await requireMayChange(tx, id, member)
    await updateTask(tx, id, { deletedAtMs: now(), deletedBy: member.userId })
    await note(tx, member, 'task.deleted', task)
    await tellAuthor(tx, task, member.userId, 'was deleted', now())
  })

/** Undoes a deletion. By its author, the user that deleted it, or an admin; nothing happens to a task that is not deleted. */
export async function restoreTask(ground: Ground, id: string, member: Member) {
  const { userId, role } = member
  await ground.db.orm.transaction(async (tx) => {
    const task = await holdTask(tx, id)
    if (task === undefined) throw missingTask()
    if (task.deletedAtMs === null) return
    if (role !== 'admin' && task.authorId !== userId && task.deletedBy !== userId)
      throw new AppError('forbidden', 'Only its author, the person who deleted it and admins may restore this task.')
    await updateTask(tx, id, { deletedAtMs: null, deletedBy: null })
    await note(tx, member, 'task.restored', task)
    await tellAuthor(tx, task, userId, 'was restored', ground.now())
  })
  return readTask(ground, id, member)
}
