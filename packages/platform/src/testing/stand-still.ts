import type { Database } from '../database/database.ts'

/**
 * Lets the server's processes behind a database stand still, as under a disk that does not answer; gives what has them
 * go on. Those of connections that are opened later do not.
 */
export async function standStill(db: Database): Promise<() => void> {
  const { rows } = await db.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  const send = (signal: NodeJS.Signals) => {
    for (const { pid } of rows)
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
  }
  send('SIGSTOP')
  return () => send('SIGCONT')
}
