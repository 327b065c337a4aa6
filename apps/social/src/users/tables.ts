import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../ground/social-schema.ts'

/** Invitations that nobody has taken up yet: a person's takes its row away. */
export const invitations = socialSchema.table(
  'invitations',
  {
    id: idColumn(),
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    invitedBy: uuid('invited_by'),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    expiresAtMs: bigint('expires_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [uniqueIndex('invitations_email_unique').on(t.email)],
)

/** One a user and way: a newer one takes the older one's place, its use takes it away. */
export const resetCodes = socialSchema.table(
  'reset_codes',
  {
    userId: uuid('user_id').notNull(),
    /** An admin made it, or it was mailed to who asked: that one is no proof enough to take the second factor away. */
    way: text('way', { enum: ['admin', 'mail'] })
      .notNull()
      .default('admin'),
    codeHash: text('code_hash').notNull(),
    expiresAtMs: bigint('expires_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.way] })],
)
