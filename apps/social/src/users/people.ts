import { text, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../social-schema.ts'

/** What every room may know of a user: the columns of the users table that are shown to others. */
export const people = socialSchema.table('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
})
