import {
  changeTask,
  createTask,
  deleteTask,
  MOST_TASKS,
  restoreTask,
  type Task,
  type TaskStatus,
  tasks,
  type VoteType,
} from '@shapecast/contracts/tasks'
import { castVote, taskVotes, withdrawVote } from '@shapecast/contracts/votes'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { call } from '#wire/calls/client.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'
import { useUser } from '#wire/session/auth-context.ts'

const ALL = { query: { limit: MOST_TASKS } } as const
/** Changes by others that come close together are read at once. */
const GATHER_MS = 500

/** Every task of the board, kept up to date while it is looked at. */
export function useTasks() {
  const queryClient = useQueryClient()
  const isSignedIn = useUser() !== null
  useEffect(() => {
    if (!isSignedIn) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = liveEvents.listen({ kind: 'tasks' }, () => {
      timer ??= setTimeout(() => {
        timer = undefined
        for (const read of [tasks, taskVotes]) void queryClient.invalidateQueries({ queryKey: endpointKey(read) })
      }, GATHER_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isSignedIn, queryClient])
  return useEndpointQuery(tasks, ALL)
}

/** What may be done with tasks, the same functions at every drawing. Each answers undefined where it was refused. */
export interface TaskActions {
  move(task: Task, status: TaskStatus): Promise<void>
  vote(task: Task, voteType: VoteType | null, comment?: string): Promise<boolean | undefined>
  remove(task: Task): Promise<void>
  restore(task: Task): Promise<void>
  /** Throws where it is refused: the dialog says so. */
  create(draft: { title: string; description: string }): Promise<void>
  dismissFailure(): void
  forgetDeleted(): void
}

/** What may be done with tasks, and how it goes. Nothing changes on the board before the server has accepted it. */
export function useTaskActions() {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<{ error: unknown; text: string } | null>(null)
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())
  const [deleted, setDeleted] = useState<Task | null>(null)

  const actions = useMemo((): TaskActions => {
    const edit = (change: (list: Task[]) => Task[]) => {
      queryClient.setQueryData(endpointKey(tasks, ALL), (old: { tasks: Task[] } | undefined) =>
        old === undefined ? old : { ...old, tasks: change(old.tasks) },
      )
    }
    const replace = (id: string, change: (task: Task) => Task) =>
      edit((list) => list.map((task) => (task._id === id ? change(task) : task)))

    async function attempt<T>(id: string, fallback: string, work: () => Promise<T>): Promise<T | undefined> {
      setFailure(null)
      setBusyIds((ids) => new Set(ids).add(id))
      try {
        return await work()
      } catch (error) {
        setFailure({ error, text: fallback })
        return undefined
      } finally {
        setBusyIds((ids) => new Set([...ids].filter((one) => one !== id)))
      }
    }

    return {
      dismissFailure: () => setFailure(null),
      forgetDeleted: () => setDeleted(null),

      move: (task, status) =>
        attempt(task._id, 'Failed to update task', async () => {
          const reply = await call(changeTask, { params: { id: task._id }, body: { status } })
          replace(task._id, () => reply.task)
        }),

      vote: (task, voteType, comment = '') =>
        attempt(task._id, 'Failed to vote', async () => {
          const params = { taskId: task._id }
          const reply =
            voteType === null
              ? await call(withdrawVote, { params })
              : await call(castVote, { params, body: { voteType, comment } })
          const { for: votesFor, against: votesAgainst } = reply.taskVotes
          replace(task._id, (old) => ({ ...old, votesFor, votesAgainst, myVote: voteType }))
          void queryClient.invalidateQueries({ queryKey: endpointKey(taskVotes) })
          return true
        }),

      remove: (task) =>
        attempt(task._id, 'Failed to delete task', async () => {
          await call(deleteTask, { params: { id: task._id } })
          edit((list) => list.filter(({ _id }) => _id !== task._id))
          setDeleted(task)
        }),

      restore: (task) =>
        attempt(task._id, 'Failed to update task', async () => {
          setDeleted(null)
          const reply = await call(restoreTask, { params: { id: task._id } })
          edit((list) => [reply.task, ...list].sort((a, b) => b.createdAt - a.createdAt))
        }),

      async create(draft) {
        const { task } = await call(createTask, { body: { ...draft, priority: 'medium' } })
        edit((list) => [task, ...list])
      },
    }
  }, [queryClient])

  return {
    actions,
    failure,
    /** Tasks that something is done with at the moment. */
    busyIds,
    /** The task that was just deleted, for as long as that can be undone here. */
    deleted,
  }
}
