import { bigint, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../ground/social-schema.ts'

/** One a person and task. */
export const votes = socialSchema.table(
  'votes',
  {
    taskId: uuid('task_id').notNull(),
    userId: uuid('user_id').notNull(),
    voteType: text('vote_type', { enum: ['for', 'against'] }).notNull(),
    comment: text('comment').notNull(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    updatedAtMs: bigint('updated_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.userId] }), index('votes_by_user').on(t.userId)],
)
