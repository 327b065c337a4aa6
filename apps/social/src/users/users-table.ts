import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, index, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { socialSchema } from '../ground/social-schema.ts'

export const users = socialSchema.table(
  'users',
  {
    id: idColumn(),
    /** As typed; unique without regard to case. */
    username: text('username').notNull(),
    /** Equal for names that look alike; null until it was filled in for accounts from before. */
    nameKey: text('name_key'),
    /** The same for names that look alike in lower case. Two accounts from before may share one. */
    foldedNameKey: text('folded_name_key'),
    /** Trimmed and in lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: ['admin', 'bot_manager', 'user'] }).notNull(),
    /** PHC string, argon2id. */
    passwordHash: text('password_hash').notNull(),
    /** Null where it is the first one. */
    passwordChangedAtMs: bigint('password_changed_at_ms', { mode: 'number' }),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    /** Since when the account may not be used; null while it may. A trigger ends its sessions, as it does on deletion. */
    disabledAt: timestamp('disabled_at', { withTimezone: true }),
    /** When the account goes, as its owner asked for; null where nobody did. Signing in again takes it back. */
    deletesAtMs: bigint('deletes_at_ms', { mode: 'number' }),
  },
  (t) => [
    uniqueIndex('users_username_unique').on(sql`lower(${t.username})`),
    uniqueIndex('users_name_key_unique').on(t.nameKey),
    index('users_folded_name_key').on(t.foldedNameKey),
    uniqueIndex('users_email_unique').on(t.email),
  ],
)
export type UserRow = typeof users.$inferSelect
