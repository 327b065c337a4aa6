import type { CallInput } from '@shapecast/contracts/client'
import {
  changeTask,
  deleteTask,
  MOST_TASKS,
  restoreTask,
  type Task,
  type TaskStatus,
  tasks,
  type VoteType,
} from '@shapecast/contracts/tasks'
import { castVote, taskVotes, withdrawVote } from '@shapecast/contracts/votes'
import { useMutationState, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { endpointKey, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
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

/** What may be done with tasks, the same functions at every drawing. */
export interface TaskActions {
  move(task: Task, status: TaskStatus): void
  vote(task: Task, voteType: VoteType | null, comment?: string, onDone?: () => void): void
  remove(task: Task): void
  restore(task: Task): void
  dismissFailure(): void
  forgetDeleted(): void
}

const TASK_CHANGE = ['task change'] as const
type Changed = CallInput<typeof changeTask> | CallInput<typeof castVote>
const idOf = ({ params }: Changed): string => ('id' in params ? params.id : params.taskId)

/** What may be done with tasks, and how it goes. Nothing changes on the board before the server has accepted it. */
export function useTaskActions() {
  const [failure, setFailure] = useState<{ error: unknown; text: string } | null>(null)
  const [deleted, setDeleted] = useState<Task | null>(null)
  const telling = (text: string) => ({
    mutationKey: TASK_CHANGE,
    onMutate: () => setFailure(null),
    onError: (error: Error) => setFailure({ error, text }),
  })
  const { mutate: move } = useEndpointMutation(changeTask, telling('Failed to update task'))
  const { mutate: cast } = useEndpointMutation(castVote, telling('Failed to vote'))
  const { mutate: withdraw } = useEndpointMutation(withdrawVote, telling('Failed to vote'))
  const removed = useRef<Task | null>(null)
  const { mutate: remove } = useEndpointMutation(deleteTask, {
    ...telling('Failed to delete task'),
    onSuccess: () => setDeleted(removed.current),
  })
  const { mutate: restore } = useEndpointMutation(restoreTask, telling('Failed to update task'))
  const busy = useMutationState({
    filters: { mutationKey: TASK_CHANGE, status: 'pending' },
    select: ({ state }) => idOf(state.variables as Changed),
  })

  const actions = useMemo(
    (): TaskActions => ({
      dismissFailure: () => setFailure(null),
      forgetDeleted: () => setDeleted(null),
      move: ({ _id: id }, status) => move({ params: { id }, body: { status } }),
      vote({ _id: taskId }, voteType, comment = '', onDone) {
        const params = { taskId }
        if (voteType === null) withdraw({ params })
        else cast({ params, body: { voteType, comment } }, { onSuccess: () => onDone?.() })
      },
      remove(task) {
        removed.current = task
        remove({ params: { id: task._id } })
      },
      restore({ _id: id }) {
        setDeleted(null)
        restore({ params: { id } })
      },
    }),
    [move, cast, withdraw, remove, restore],
  )

  return {
    actions,
    failure,
    /** Tasks that something is done with at the moment. */
    busyIds: useMemo(() => new Set(busy), [busy]),
    /** The task that was just deleted, for as long as that can be undone here. */
    deleted,
  }
}
