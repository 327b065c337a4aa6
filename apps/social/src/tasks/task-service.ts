import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Task, TaskChange, TaskDraft, TaskFilter, VoteType } from '@shapecast/contracts/tasks'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { KeyedRequest } from '@shapecast/platform/http/keyed-request'
import { notify } from '@shapecast/platform/notify'
import type { Caller, Member } from '@shapecast/platform/sessions'
import { nameOf } from '../users/user-names.ts'
import {
  findTask,
  holdTask,
  insertTask,
  listTasks,
  markDeleted,
  missingTask,
  proposedSince,
  requireTask,
  type StoredTask,
  taskOfRequest,
  updateTask,
} from './task-store.ts'

const MOST_A_DAY = 100
const DAY_MS = 86_400_000

export type Asker = Pick<Caller, 'userId' | 'role'>

export interface TaskServiceDeps {
  db: Database
  /** A user's votes on these tasks, by the task's id. */
  votesOf(userId: string, taskIds: readonly string[]): Promise<ReadonlyMap<string, VoteType>>
  /** Whether only authors and the management roles may move and delete. */
  isRestricted(orm: Orm): Promise<boolean>
  now(): number
}

const subjectOf = (id: string) => ({ type: 'task', id })

const isOfMember = (task: { authorId: string | null }, { userId, role }: Asker): boolean =>
  task.authorId === userId || isManager(role)

const shown = ({ task, authorName }: StoredTask, myVote: VoteType | undefined, mayChange: boolean): Task => ({
  _id: task.id,
  title: task.title,
  description: task.description,
  status: task.status,
  priority: task.priority,
  tags: task.tags,
  author: task.authorId === null || authorName === null ? null : { id: task.authorId, username: authorName },
  votesFor: task.votesFor,
  votesAgainst: task.votesAgainst,
  myVote: myVote ?? null,
  mayChange,
  createdAt: task.createdAtMs,
  updatedAt: task.updatedAtMs,
})

/** Who may change a task, and who is told. */
const rightsOf = ({ db, votesOf, isRestricted, now }: TaskServiceDeps) => {
  async function read(id: string, asker: Asker): Promise<Task> {
    const row = await findTask(db.orm, id)
    if (row === undefined || row.task.deletedAtMs !== null) throw missingTask()
    const mayChange = isOfMember(row.task, asker) || !(await isRestricted(db.orm))
    return shown(row, (await votesOf(asker.userId, [id])).get(id), mayChange)
  }

  async function requireMayChange(tx: Orm, task: { authorId: string | null }, member: Member): Promise<void> {
    if (isOfMember(task, member) || !(await isRestricted(tx))) return
    throw new AppError('forbidden', 'Only its author, admins and managers may change this task.')
  }

  /** Tells the author of a task what somebody else did with it. */
  async function notifyAuthor(
    tx: Orm,
    task: { id: string; title: string; authorId: string | null },
    doerId: string,
    done: string,
  ): Promise<void> {
    if (task.authorId === null || task.authorId === doerId) return
    const text = `By ${await nameOf(tx, doerId)}.`
    const link = `/settings/tasks?task=${task.id}`
    await notify(tx, task.authorId, { kind: 'task', title: `“${task.title}” ${done}`, text, link }, now())
  }
  return { read, requireMayChange, notifyAuthor: notifyAuthor }
}

/** Deleting a task, and bringing it back. */
const removalOf = (
  { db, now }: TaskServiceDeps,
  { read, requireMayChange, notifyAuthor }: ReturnType<typeof rightsOf>,
) => ({
  async delete(id: string, member: Member): Promise<void> {
    const { userId } = member
    await db.orm.transaction(async (tx) => {
      const task = await requireTask(tx, id, { hold: true })
      await requireMayChange(tx, task, member)
      await markDeleted(tx, id, { userId, atMs: now() })
      await recordAudit(tx, member, { action: 'task.deleted', subject: subjectOf(id) })
      const subject = { id, name: task.title }
      await recordActivity(tx, { type: 'task', action: 'task.deleted', actorId: userId, subject })
      await notifyAuthor(tx, task, userId, 'was deleted')
    })
  },

  /** Undoes a deletion. By its author, the user that deleted it, or an admin; nothing happens to a task that is not deleted. */
  async restore(id: string, member: Member): Promise<Task> {
    const { userId, role } = member
    await db.orm.transaction(async (tx) => {
      const task = await holdTask(tx, id)
      if (task === undefined) throw missingTask()
      if (task.deletedAtMs === null) return
      if (role !== 'admin' && task.authorId !== userId && task.deletedBy !== userId)
        throw new AppError('forbidden', 'Only its author, the person who deleted it and admins may restore this task.')
      await markDeleted(tx, id, null)
      await recordAudit(tx, member, { action: 'task.restored', subject: subjectOf(id) })
      const subject = { id, name: task.title }
      await recordActivity(tx, { type: 'task', action: 'task.restored', actorId: userId, subject })
      await notifyAuthor(tx, task, userId, 'was restored')
    })
    return read(id, member)
  },
})

/** The task board: listing, proposing, moving, deleting and restoring; who may is decided here. */
export const createTaskService = (deps: TaskServiceDeps) => {
  const { db, votesOf, isRestricted, now } = deps
  const shared = rightsOf(deps)
  const { read, requireMayChange, notifyAuthor } = shared

  return {
    ...removalOf(deps, shared),

    read,

    /** As `asker` sees them; a visitor (null) is not told the authors. */
    async list(filter: TaskFilter, asker: Asker | null): Promise<{ tasks: Task[]; total: number }> {
      const { rows, total } = await listTasks(db.orm, filter)
      if (asker === null)
        return { tasks: rows.map((row) => ({ ...shown(row, undefined, false), author: null })), total }
      const mine = await votesOf(
        asker.userId,
        rows.map(({ task }) => task.id),
      )
      const isOpen = !(await isRestricted(db.orm))
      const tasks = rows.map((row) => shown(row, mine.get(row.task.id), isOpen || isOfMember(row.task, asker)))
      return { tasks, total }
    },

    /**
     * Proposes a task. The same request under the same key answers with the same task. Throws `over_limit` past 100 of one
     * user a day.
     */
    async create(draft: TaskDraft, member: Member, request: KeyedRequest | null = null): Promise<Task> {
      const { userId } = member
      const id = await db.orm.transaction(async (tx) => {
        const before = await taskOfRequest(tx, userId, request)
        if (before !== undefined) return before
        if ((await proposedSince(tx, userId, now() - DAY_MS)) >= MOST_A_DAY)
          throw new AppError('over_limit', `A user may propose ${MOST_A_DAY} tasks a day. Try again tomorrow.`)
        const made = await insertTask(tx, draft, { authorId: userId, request, nowMs: now() })
        // Another process was a moment earlier.
        if (made === null) return (await taskOfRequest(tx, userId, request))!
        await recordAudit(tx, member, {
          action: 'task.created',
          subject: subjectOf(made),
          after: draft,
        })
        await recordActivity(tx, {
          type: 'task',
          action: 'task.created',
          actorId: userId,
          subject: { id: made, name: draft.title },
        })
        return made
      })
      return read(id, member)
    },

    /** Moves a task or changes its priority. What is as asked already stays, and is not written down. */
    async change(id: string, asked: TaskChange, member: Member): Promise<Task> {
      const { userId } = member
      await db.orm.transaction(async (tx) => {
        const task = await requireTask(tx, id, { hold: true })
        await requireMayChange(tx, task, member)
        const status = asked.status ?? task.status
        const priority = asked.priority ?? task.priority
        if (status === task.status && priority === task.priority) return
        await updateTask(tx, id, { status, priority }, now())
        await recordAudit(tx, member, {
          action: 'task.changed',
          subject: subjectOf(id),
          before: { status: task.status, priority: task.priority },
          after: { status, priority },
        })
        const about = { type: 'task', actorId: userId, subject: { id, name: task.title } } as const
        if (status !== task.status) {
          await recordActivity(tx, { ...about, action: 'task.moved', detail: status })
          await notifyAuthor(tx, task, userId, `is now ${status.replaceAll('_', ' ')}`)
        }
        if (priority !== task.priority)
          await recordActivity(tx, { ...about, action: 'task.prioritised', detail: priority })
      })
      return read(id, member)
    },
  }
}

export type TaskService = ReturnType<typeof createTaskService>
