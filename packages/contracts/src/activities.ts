import { z } from 'zod'
import { socialEndpoint } from './endpoint.ts'
import { Page } from './tasks.ts'
import { epochMs } from './units.ts'
import { UserName } from './user-name.ts'

export const ACTIVITY_TYPES = ['task', 'bot', 'model', 'backtest', 'user'] as const
export const ActivityType = z.enum(ACTIVITY_TYPES)
export type ActivityType = z.infer<typeof ActivityType>

export const Activity = z.object({
  _id: z.uuid(),
  type: ActivityType,
  /** What was done, as subject.verb: `task.moved`, `bot.created`. */
  action: z.string(),
  /** Null where the system or a bot did it by itself, or the account was deleted. */
  actor: UserName.nullable(),
  subject: z.object({ id: z.string(), name: z.string() }),
  /** A few words beyond the action, such as the new status. */
  detail: z.string().nullable(),
  createdAt: epochMs(),
  /** What the market's clock said where it is a replay; else null. */
  marketAt: epochMs().nullable(),
})
export type Activity = z.infer<typeof Activity>

const Paged = z.object({
  type: ActivityType.optional(),
  /** Of this subject only: the id of a task, a bot or a model. */
  subject: z.string().min(1).max(100).optional(),
  page: Page,
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ActivityFilter = z.infer<typeof Paged>

const ActivityPage = z.object({
  activities: z.array(Activity),
  page: z.number().int(),
  limit: z.number().int(),
  hasMore: z.boolean(),
})
export type ActivityPage = z.infer<typeof ActivityPage>

export const activities = socialEndpoint('GET /api/activities', {
  summary:
    'What people and bots did that the caller may see, the newest first. Private bots show to their owner and admins.',
  query: Paged,
  reply: ActivityPage,
})

export const userActivities = socialEndpoint('GET /api/activities/user/:userId', {
  summary: 'What one user did that the caller may see, the newest first.',
  params: z.object({ userId: z.uuid() }),
  query: Paged,
  reply: ActivityPage,
})
