import { z } from 'zod'
import { socialEndpoint } from './endpoint.ts'
import { PlainText } from './storable-text.ts'
import { epochMs } from './units.ts'
import { UserName } from './user-name.ts'

export const TASK_STATUSES = [
  'proposed',
  'in_voting',
  'approved',
  'in_progress',
  'completed',
  'rejected',
  'cancelled',
] as const
export const TaskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof TaskStatus>

export const TASK_PRIORITIES = ['low', 'medium', 'high'] as const
export const TaskPriority = z.enum(TASK_PRIORITIES)
export type TaskPriority = z.infer<typeof TaskPriority>

export const VoteType = z.enum(['for', 'against'])
export type VoteType = z.infer<typeof VoteType>

/** Votes are taken while a task is one of these. */
export const isVotingOpen = (status: TaskStatus): boolean => status === 'in_voting' || status === 'proposed'

const TITLE_TOO_SHORT = 'Title must be at least 5 characters'
const DESCRIPTION_TOO_SHORT = 'Description must be at least 10 characters'
/** The most tasks that one call lists. */
export const MOST_TASKS = 1_000

const Tag = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u, 'A tag has letters, digits, spaces, hyphens and underscores')
  .max(30, 'A tag has at most 30 characters')

export const Task = z.object({
  _id: z.uuid(),
  title: z.string(),
  description: z.string(),
  status: TaskStatus,
  priority: TaskPriority,
  tags: z.array(z.string()),
  /** Null where the account was deleted. */
  author: UserName.nullable(),
  votesFor: z.number().int(),
  votesAgainst: z.number().int(),
  /** The caller's own vote, if any. */
  myVote: VoteType.nullable(),
  /** Whether the caller may move and delete it. */
  mayChange: z.boolean().optional(),
  createdAt: epochMs(),
  updatedAt: epochMs(),
})
export type Task = z.infer<typeof Task>

export const TaskDraft = z.object({
  title: PlainText.min(5, TITLE_TOO_SHORT).max(200, 'Title must be at most 200 characters'),
  description: PlainText.min(10, DESCRIPTION_TOO_SHORT).max(10_000, 'Description must be at most 10,000 characters'),
  priority: TaskPriority.default('medium'),
  tags: z
    .array(Tag)
    .max(10, 'A task has at most 10 tags')
    .transform((tags) => [...new Set(tags)])
    .default([]),
})
export type TaskDraft = z.infer<typeof TaskDraft>

export const TaskChange = z
  .object({ status: TaskStatus.optional(), priority: TaskPriority.optional() })
  .refine(({ status, priority }) => status !== undefined || priority !== undefined, 'Give a status or a priority')
export type TaskChange = z.infer<typeof TaskChange>

/** One tag, or several in turn. */
const Tags = z.union([Tag.transform((tag) => [tag]), z.array(Tag).max(10)])

export const Page = z.coerce.number().int().min(1).max(1_000_000).default(1)

export const TaskFilter = z.object({
  status: TaskStatus.optional(),
  priority: TaskPriority.optional(),
  /** The id of a user. */
  author: z.uuid().optional(),
  page: Page,
  limit: z.coerce.number().int().min(1).max(MOST_TASKS).default(50),
  /** Tasks that have all of them. */
  tags: Tags.optional(),
})
export type TaskFilter = z.infer<typeof TaskFilter>

const OneTask = z.object({ task: Task })

export const tasks = socialEndpoint('GET /api/tasks', {
  publicPath: '/public/tasks',
  summary: 'Tasks, the newest first, by page. `tags` may be given several times. Visitors are not told the authors.',
  query: TaskFilter,
  reply: z.object({
    tasks: z.array(Task),
    total: z.number().int(),
    page: z.number().int(),
    limit: z.number().int(),
  }),
})

export const task = socialEndpoint('GET /api/tasks/:id', {
  summary: 'One task.',
  reply: OneTask,
})

export const createTask = socialEndpoint('POST /api/tasks', {
  summary: 'Propose a task. With the header Idempotency-Key the same request again answers with the same task.',
  touches: [tasks],
  body: TaskDraft,
  takesKey: true,
  reply: OneTask,
  errors: ['over_limit', 'conflict', 'not_found'],
})

export const changeTask = socialEndpoint('PATCH /api/tasks/:id', {
  summary: 'Move a task to another status, or give it another priority.',
  touches: [tasks, task],
  body: TaskChange,
  reply: OneTask,
  errors: ['not_found', 'forbidden'],
})

export const deleteTask = socialEndpoint('DELETE /api/tasks/:id', {
  summary: 'Delete a task. It can be restored.',
  touches: [tasks, task],
  errors: ['not_found', 'forbidden'],
})

export const restoreTask = socialEndpoint('POST /api/tasks/:id/restore', {
  summary: 'Undo the deletion of a task. Its author, no matter who deleted it, or an admin.',
  touches: [tasks, task],
  reply: OneTask,
  errors: ['not_found', 'forbidden'],
})
