import type { Database } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'

/**
 * Runs `work` unless another process of the installation is at the same: every worker looks, and one of them is enough.
 * Answers whether it ran. `lock` is the name, as PostgreSQL wants it: any number that nobody else uses. It goes with its
 * transaction, so that a process that dies leaves none behind.
 */
export const alone = (db: Pick<Database, 'orm'>, work: () => Promise<void>, lock: number): Promise<boolean> =>
  db.orm.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${lock}) as mine`)
    if (rows[0]?.mine !== true) return false
    await work()
    return true
  })
