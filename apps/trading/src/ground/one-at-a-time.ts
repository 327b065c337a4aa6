import type { Orm } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'

/** Waits until no other transaction, of whatever process, is in the part of that name, and holds it until its own end. */
export async function oneAtATime(tx: Orm, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
