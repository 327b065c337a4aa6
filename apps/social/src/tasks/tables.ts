import { TASK_PRIORITIES, TASK_STATUSES } from '@shapecast/contracts/tasks'
import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../ground/social-schema.ts'

export const tasks = socialSchema.table(
  'tasks',
  {
    id: idColumn(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    status: text('status', { enum: TASK_STATUSES }).notNull(),
    priority: text('priority', { enum: TASK_PRIORITIES }).notNull(),
    tags: text('tags').array().notNull(),
    /** Null where the account was deleted. */
    authorId: uuid('author_id'),
    /** Both counts are kept by a trigger on the votes. */
    votesFor: integer('votes_for').notNull().default(0),
    votesAgainst: integer('votes_against').notNull().default(0),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    updatedAtMs: bigint('updated_at_ms', { mode: 'number' }).notNull(),
    /** Set where it is deleted; it can be restored. */
    deletedAtMs: bigint('deleted_at_ms', { mode: 'number' }),
    deletedBy: uuid('deleted_by'),
    /** The Idempotency-Key that it was proposed with, and of what was asked; null without one. */
    requestKey: text('request_key'),
    requestHash: text('request_hash'),
  },
  (t) => [
    index('tasks_listed').on(t.id).where(sql`${t.deletedAtMs} is null`),
    index('tasks_by_author').on(t.authorId, t.id),
    uniqueIndex('tasks_by_request').on(t.authorId, t.requestKey).where(sql`${t.requestKey} is not null`),
    index('tasks_by_tag').using('gin', t.tags),
  ],
)

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
