import { TASK_PRIORITIES, TASK_STATUSES, type Task } from '@shapecast/contracts/tasks'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { type BoardFilter, tagsOf } from './columns.ts'

const ALL = 'all'

export interface BoardFiltersProps {
  tasks: readonly Task[]
  filter: BoardFilter
  onChange: (change: Partial<Record<keyof BoardFilter, string | null>>) => void
}

/** By status, priority and, where tasks have some, tag. */
export function BoardFilters({ tasks, filter, onChange }: BoardFiltersProps) {
  const choice = <Name extends 'status' | 'priority' | 'tag'>(
    name: Name,
    all: string,
    values: readonly NonNullable<BoardFilter[Name]>[],
  ) => (
    <MenuSelect<string>
      look="chip"
      label={`Filter by ${name}`}
      value={filter[name] ?? ALL}
      choices={[{ value: ALL, label: all }, ...values.map((value) => ({ value, label: value.replaceAll('_', ' ') }))]}
      onChange={(value) => onChange({ [name]: value === ALL ? null : value })}
    />
  )
  const tags = tagsOf(tasks)
  return (
    <>
      {choice('status', 'Any status', TASK_STATUSES)}
      {choice('priority', 'Any priority', TASK_PRIORITIES)}
      {tags.length > 0 && choice('tag', 'Any tag', tags)}
    </>
  )
}
