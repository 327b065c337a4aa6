import type { Orm } from '@shapecast/platform/database/database'
import { eq } from 'drizzle-orm'
import { text, uuid } from 'drizzle-orm/pg-core'
import { socialSchema } from '../ground/social-schema.ts'

/** What every room may know of a user: the columns of the users table that are shown to others. Of a left join: null where the account was deleted. */
export const userNames = socialSchema.table('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
})

/** The name of a user. */
export async function nameOf(orm: Orm, id: string): Promise<string> {
  const [row] = await orm.select({ username: userNames.username }).from(userNames).where(eq(userNames.id, id))
  return row?.username ?? 'A deleted account'
}
