import { connect, type Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import type pg from 'pg'

type Query = (...given: unknown[]) => Promise<unknown>
type Answered = (error: unknown, result?: unknown) => void

/** A database whose connection is lost at one of its questions. */
export interface CutDatabase extends Database {
  /** Questions asked since the last `cutAt`. */
  asked(): number
  /** Loses the connection of the `n`-th question from now, before it comes to the server or after it was carried out. */
  cutAt(n: number, when: 'before' | 'after'): void
}

/** Another set of connections to `db`; the server itself ends the one that is to be lost. */
export async function openCutDatabase(db: Database): Promise<CutDatabase> {
  const cut = await connect(db.url, silentLogger(), { max: 4 })
  let asked = 0
  let at = { n: 0, when: 'before' as 'before' | 'after' }

  cut.pool.on('connect', (client) => {
    const query = client.query.bind(client) as unknown as Query
    const end = () =>
      db.pool.query('select pg_terminate_backend($1, 1000)', [(client as unknown as { processID: number }).processID])
    const ask = async (given: unknown[]): Promise<unknown> => {
      const isCut = ++asked === at.n
      if (isCut && at.when === 'before') await end()
      const result = await query(...given)
      if (isCut && at.when === 'after') {
        await end()
        throw new Error('Connection terminated unexpectedly')
      }
      return result
    }
    const patched = (...given: unknown[]): unknown => {
      // A stream, such as of COPY, is its own answer.
      if (typeof (given[0] as { submit?: unknown })?.submit === 'function') return query(...given)
      const answered = given.at(-1)
      if (typeof answered !== 'function') return ask(given)
      void ask(given.slice(0, -1)).then((result) => (answered as Answered)(null, result), answered as Answered)
    }
    ;(client as { query: unknown }).query = patched as pg.PoolClient['query']
  })
  // The connections that were made before anyone listened.
  await Promise.all((await Promise.all([cut.pool.connect()])).map((client) => client.release(true)))
  return {
    ...cut,
    asked: () => asked,
    cutAt(n, when) {
      asked = 0
      at = { n, when }
    },
  }
}
