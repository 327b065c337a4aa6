import {
  TASK_PRIORITIES,
  TASK_STATUSES,
  type Task,
  type TaskPriority,
  type TaskStatus,
} from '@shapecast/contracts/tasks'

export type ColumnId = 'backlog' | 'plans' | 'progress' | 'done'

export interface BoardColumn {
  readonly id: ColumnId
  readonly label: string
  /** What a card that is dropped here becomes. */
  readonly status: TaskStatus
}

export const COLUMNS: readonly BoardColumn[] = [
  { id: 'backlog', label: 'Backlog', status: 'proposed' },
  { id: 'plans', label: 'In plans', status: 'approved' },
  { id: 'progress', label: 'In progress', status: 'in_progress' },
  { id: 'done', label: 'Done', status: 'completed' },
]

const COLUMN_OF: Readonly<Record<TaskStatus, ColumnId>> = {
  proposed: 'backlog',
  in_voting: 'backlog',
  rejected: 'backlog',
  cancelled: 'backlog',
  approved: 'plans',
  in_progress: 'progress',
  completed: 'done',
}

export const columnOf = ({ status }: Pick<Task, 'status'>): ColumnId => COLUMN_OF[status]

/** The status that a drop sends; null where the card is on that column already. */
export const statusOfDrop = (task: Pick<Task, 'status'>, column: BoardColumn): TaskStatus | null =>
  columnOf(task) === column.id ? null : column.status

const PREVIEW = 80

/** The beginning of a description, as a card shows it. */
export const previewOf = (description: string): string =>
  description.length <= PREVIEW ? description : `${description.slice(0, PREVIEW).trimEnd()}…`

/** What of the board is shown; null is all. */
export interface BoardFilter {
  readonly search: string
  readonly status: TaskStatus | null
  readonly priority: TaskPriority | null
  readonly tag: string | null
}

/** What an address shows of the board. */
export const filterIn = (query: URLSearchParams): BoardFilter => ({
  search: query.get('search') ?? '',
  status: TASK_STATUSES.find((status) => status === query.get('status')) ?? null,
  priority: TASK_PRIORITIES.find((priority) => priority === query.get('priority')) ?? null,
  tag: query.get('tag'),
})

/** Whether a task is of the status, priority and tag, and has every word of the search in its title, text, tags or author. */
export function fits(task: Task, { search, status, priority, tag }: BoardFilter): boolean {
  if (status !== null && task.status !== status) return false
  if (priority !== null && task.priority !== priority) return false
  if (tag !== null && !task.tags.includes(tag)) return false
  const words = search.trim().toLowerCase()
  if (words === '') return true
  const { title, description, tags, author } = task
  const text = `${title}\n${description}\n${tags.join(' ')}\n${author?.username ?? ''}`.toLowerCase()
  return words.split(/\s+/).every((word) => text.includes(word))
}

/** The tags of all tasks, the commonest first. */
export function tagsOf(tasks: readonly Task[]): string[] {
  const counts = Map.groupBy(
    tasks.flatMap(({ tags }) => tags),
    (tag) => tag,
  )
  return [...counts].sort((a, b) => b[1].length - a[1].length || a[0].localeCompare(b[0])).map(([tag]) => tag)
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu))

/** The task whose title shares the most words with a new one, two at least: somebody may have proposed it already. */
export function likeTitle(title: string, tasks: readonly Task[]): Task | null {
  const words = wordsOf(title)
  const shared = (task: Task) => [...wordsOf(task.title)].filter((word) => words.has(word)).length
  const best = tasks.reduce<Task | null>((a, b) => (a !== null && shared(a) >= shared(b) ? a : b), null)
  return best !== null && shared(best) >= 2 ? best : null
}

/** Why the reader may neither move nor delete a task; undefined where they may. */
export const whyFixed = ({ mayChange = true }: Pick<Task, 'mayChange'>): string | undefined =>
  mayChange ? undefined : 'Only its author, admins and managers may move or delete this task.'
