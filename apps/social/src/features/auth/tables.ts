import { idColumn } from '@shapecast/platform/database/id-column'
import { bigint, index, text } from 'drizzle-orm/pg-core'
import { socialSchema } from '../../social-schema.ts'

/** Password attempts that have not (yet) succeeded: a success clears those of its account and address. And registrations. */
export const passwordAttempts = socialSchema.table(
  'password_attempts',
  {
    id: idColumn(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [index('password_attempts_by_address').on(t.address, t.atMs)],
)
