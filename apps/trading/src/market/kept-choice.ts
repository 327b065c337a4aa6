import type { Orm } from '@shapecast/platform/database/database'
import { installation } from '@shapecast/platform/tables'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'

/** What the installation has written down under `key`, or null if there is nothing of that form. */
export async function readKept<S extends z.ZodType>(orm: Orm, key: string, schema: S): Promise<z.output<S> | null> {
  const [row] = await orm.select().from(installation).where(eq(installation.key, key))
  const parsed = schema.safeParse(row?.value)
  return parsed.success ? parsed.data : null
}

/** Writes a choice down where none stands yet. Of several processes that choose at once the first one decides. */
export async function keepFirst(orm: Orm, key: string, value: unknown): Promise<void> {
  await orm.insert(installation).values({ key, value }).onConflictDoNothing()
}

/** Writes a choice down over whatever stood there. */
export async function keep(orm: Orm, key: string, value: unknown): Promise<void> {
  await orm.insert(installation).values({ key, value }).onConflictDoUpdate({ target: installation.key, set: { value } })
}
