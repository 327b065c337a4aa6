import { tasks } from '@shapecast/contracts/tasks'
import { TaskStatusChip } from '#entities/tasks/task-status-chip.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { LinkedList } from './linked-list.tsx'

const FETCHED = 10
const SHOWN = 6

/** The newest tasks of the board, with how far each is. */
export function TasksCard() {
  const reply = useEndpointQuery(tasks, { query: { limit: FETCHED } }, { refetchInterval: REFRESH_MS })
  // What cannot be loaded counts as nothing.
  const list = reply.data?.tasks ?? (reply.isFetched ? [] : undefined)
  return (
    <LinkedList
      title="Tasks"
      allTo={paths.tasks}
      rows={list?.slice(0, SHOWN).map((task) => ({
        id: task._id,
        to: paths.task(task._id),
        title: task.title,
        chip: <TaskStatusChip status={task.status} />,
      }))}
      empty="No tasks yet"
      emptyHint="Missing something? Write it down; votes decide what comes next."
      emptyAction={
        <LinkButton to={paths.tasks} size="small">
          Open the board
        </LinkButton>
      }
    />
  )
}
