import type { Database } from '../database/database.ts'

/** Ids of the server's processes that wait for a lock, or an advisory one, in this database: all tests share the server. */
export async function waitingForLocks(pool: Database['pool'], kind?: 'advisory'): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and ($1::text is null or wait_event = $1)`,
    [kind],
  )
  return rows.map(({ pid }) => pid)
}
