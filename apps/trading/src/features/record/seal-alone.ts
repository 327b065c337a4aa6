import type { Database } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'

/** The name of the lock, as PostgreSQL wants it: a number. Any other would do, if nobody else uses it. */
const SEAL_LOCK = 7_365_616_101

/**
 * Runs `work` unless another process of the installation is at the same: every worker looks for closed candles, and one of
 * them is enough to forecast. Answers whether it ran. The lock goes with its transaction, so that a process that dies
 * leaves none behind.
 */
export const alone = (db: Pick<Database, 'orm'>, work: () => Promise<void>, lock = SEAL_LOCK): Promise<boolean> =>
  db.orm.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${lock}) as mine`)
    if (rows[0]?.mine !== true) return false
    await work()
    return true
  })
