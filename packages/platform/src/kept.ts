import { eq } from 'drizzle-orm'
import type { Orm } from './database/database.ts'
import { installation } from './tables.ts'

/** What the installation has written down under `key`; undefined where nothing is. */
export async function readKept(orm: Orm, key: string): Promise<unknown> {
  const [row] = await orm.select().from(installation).where(eq(installation.key, key))
  return row?.value
}

/** Writes it down over whatever stood there. */
export async function keep(orm: Orm, key: string, value: unknown): Promise<void> {
  await orm.insert(installation).values({ key, value }).onConflictDoUpdate({ target: installation.key, set: { value } })
}

/** Writes it down where nothing stands yet. Of several processes that choose at once the first one decides. */
export async function keepFirst(orm: Orm, key: string, value: unknown): Promise<void> {
  await orm.insert(installation).values({ key, value }).onConflictDoNothing()
}
