import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const platform = pgSchema('platform')

/** A row for each sign-in. Ended where `endedAt` is set; void after `expiresAt`. */
export const sessions = platform.table(
  'sessions',
  {
    id: uuid().primaryKey().default(sql`uuidv7()`),
    userId: uuid('user_id').notNull(),
    role: text().notNull(),
    address: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** Append-only: a trigger refuses UPDATE, DELETE and TRUNCATE. */
export const audit = platform.table(
  'audit',
  {
    id: uuid().primaryKey().default(sql`uuidv7()`),
    at: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    /** The user who did it; null for the system itself. */
    actorId: uuid('actor_id'),
    /** Where the request came from; null for the system itself. */
    address: text(),
    /** What was done, such as `bot.created`. */
    action: text().notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    before: jsonb(),
    after: jsonb(),
  },
  (table) => [
    index('audit_subject').on(table.subjectType, table.subjectId, table.id),
    index('audit_actor').on(table.actorId, table.id),
  ],
)

/** What the activity feed shows. Nothing of the audit comes here by itself: who writes it down says what others may read. */
export const activities = platform.table(
  'activities',
  {
    id: uuid().primaryKey().default(sql`uuidv7()`),
    at: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
    type: text({ enum: ['task', 'bot', 'model', 'backtest', 'user'] }).notNull(),
    action: text().notNull(),
    /** The user who did it; null for the system itself, and for bots. */
    actorId: uuid('actor_id'),
    /** Whose it is: shown to this user and to admins alone while it is not public. */
    ownerId: uuid('owner_id'),
    isPublic: boolean('is_public').notNull(),
    subjectId: text('subject_id').notNull(),
    subjectName: text('subject_name').notNull(),
    detail: text(),
  },
  (table) => [
    index('activities_type').on(table.type, table.id),
    index('activities_actor').on(table.actorId, table.id),
    index('activities_subject').on(table.subjectId, table.id),
  ],
)

/** What an installation has decided once, such as its venue. */
export const installation = platform.table('installation', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
})
