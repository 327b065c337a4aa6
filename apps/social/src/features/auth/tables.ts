import { sql } from 'drizzle-orm'

import { bigint, index, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../../social-schema.ts'

export const users = socialSchema.table(
  'users',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** As typed; unique without regard to case. */
    username: text('username').notNull(),
    /** Trimmed and in lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: ['admin', 'bot_manager', 'user'] }).notNull(),
    /** PHC string, argon2id. */
    passwordHash: text('password_hash').notNull(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    /** Since when the account may not be used; null while it may. A trigger ends its sessions, as it does on deletion. */
    disabledAt: timestamp('disabled_at', { withTimezone: true }),
  },
  (t) => [
    uniqueIndex('users_username_unique').on(sql`lower(${t.username})`),
    uniqueIndex('users_email_unique').on(t.email),
  ],
)
export type UserRow = typeof users.$inferSelect

/** Password attempts that have not (yet) succeeded. A success clears those of its account and address. */
export const passwordAttempts = socialSchema.table(
  'password_attempts',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    email: text('email').notNull(),
    address: text('address').notNull(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [index('password_attempts_by_address').on(t.address, t.atMs)],
)
