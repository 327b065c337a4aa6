import type pg from 'pg'

/**
 * Runs `work` unless another process runs one of the same name, and answers whether it did. The lock belongs to a
 * connection, without a transaction, so that nothing in the database waits for what `work` does elsewhere; it goes with
 * the connection of a process that dies.
 */
export async function inOrder(
  pool: Pick<pg.Pool, 'connect'>,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = await pool.connect()
  let broken = true
  try {
    const lock = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine'
    const { rows } = await client.query<{ mine: boolean }>(lock, [name])
    const isMine = rows[0]!.mine
    if (isMine) {
      await work()
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
    }
    broken = false
    return isMine
  } finally {
    // Where the work failed the connection ends, and the lock with it.
    client.release(broken)
  }
}
