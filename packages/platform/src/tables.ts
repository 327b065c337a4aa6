import { sql } from 'drizzle-orm'
import { index, jsonb, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core'

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

/** What an installation has decided once, such as its venue. */
export const installation = platform.table('installation', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
})
