import type { Task, TaskStatus } from '@shapecast/contracts/tasks'

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

/** Whether a task has every word of a search in its title, description, tags or author. */
export function fits({ title, description, tags, author }: Task, search: string): boolean {
  const text = `${title}\n${description}\n${tags.join(' ')}\n${author?.username ?? ''}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu))

/** The task whose title shares the most words with a new one, two at least: somebody may have proposed it already. */
export function likeTitle(title: string, tasks: readonly Task[]): Task | null {
  const words = wordsOf(title)
  const shared = (task: Task) => [...wordsOf(task.title)].filter((word) => words.has(word)).length
  const best = tasks.reduce<Task | null>((a, b) => (a !== null && shared(a) >= shared(b) ? a : b), null)
  return best !== null && shared(best) >= 2 ? best : null
}
