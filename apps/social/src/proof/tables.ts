import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../ground/social-schema.ts'

/** Guesses that have not (yet) succeeded: a success clears those of its kind and account. And registrations. */
export const passwordAttempts = socialSchema.table(
  'password_attempts',
  {
    id: idColumn(),
    kind: text('kind', {
      enum: ['sign_in', 'reset', 'password', 'code', 'new_code', 'registration', 'forgot', 'email_link'],
    })
      .notNull()
      .default('sign_in'),
    email: text('email').notNull(),
    address: text('address').notNull(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    index('password_attempts_by_address').on(t.address, t.atMs),
    index('password_attempts_by_email').on(t.email, t.atMs),
  ],
)

/** A person's authenticator app. Secrets are base32, sealed under the SECRET_KEY. */
export const secondFactors = socialSchema.table('second_factors', {
  userId: uuid('user_id').primaryKey(),
  /** Null while it is off. */
  secret: text('secret'),
  /** Waits for its first code; null where none does. */
  pendingSecret: text('pending_secret'),
  onSinceMs: bigint('on_since_ms', { mode: 'number' }),
  /** The time step of the last code that was taken: none is taken twice. */
  lastStep: integer('last_step').notNull().default(0),
})

/** Codes for a lost phone, each good once. Hashed: with 80 random bits, SHA-256 does. */
export const recoveryCodes = socialSchema.table(
  'recovery_codes',
  {
    userId: uuid('user_id').notNull(),
    codeHash: text('code_hash').notNull(),
  },
  (t) => [uniqueIndex('recovery_codes_of_user').on(t.userId, t.codeHash)],
)
