import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, index, text } from 'drizzle-orm/pg-core'
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
