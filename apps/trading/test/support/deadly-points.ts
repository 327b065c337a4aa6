import type { Database, Orm } from '@shapecast/platform/database/database'
import { getTableName, is, SQL, Table } from 'drizzle-orm'
import type { Fate } from './mortal-process.ts'

/** Where in a transaction that writes something a process may be told to end. */
export const POINTS = ['before it', 'half written', 'before its commit', 'after its commit'] as const

/** Reaches a point of a transaction that has written to these tables so far. */
type Reach = (point: (typeof POINTS)[number], written: ReadonlySet<string>) => void

/** A database whose transactions tell where they are. */
export function withPoints(db: Database, reach: Reach): Database {
  const transaction: Database['orm']['transaction'] = async (work, settings) => {
    const written = new Set<string>()
    reach('before it', written)
    const made = await db.orm.transaction(async (tx) => {
      const result = await work(
        telling(tx, (table) => {
          written.add(table)
          reach('half written', written)
        }),
      )
      if (written.size > 0) reach('before its commit', written)
      return result
    }, settings)
    if (written.size > 0) reach('after its commit', written)
    return made
  }
  const orm = new Proxy(db.orm, {
    get: (target, name) => (name === 'transaction' ? transaction : bound(target, name)),
  })
  return { ...db, orm }
}

/** In a process to be killed: ends it, or lets it stand still, at the point where its parent has told it to. */
export function meetFate(): (point: string) => void {
  let fate: Fate | null = null
  process.on('message', (told: Fate) => {
    fate = told
  })
  process.on('disconnect', () => process.exit())
  let passes = 0
  return (point) => {
    if (fate === null || fate.point !== point || passes++ < fate.passes) return
    const { signal } = fate
    fate = null
    passes = 0
    if (signal === 'SIGSTOP') process.send!(point)
    process.kill(process.pid, signal)
  }
}

const WRITES: readonly (string | symbol)[] = ['execute', 'insert', 'update', 'delete'] satisfies (keyof Orm)[]

const telling = <Tx extends object>(tx: Tx, write: (table: string) => void): Tx =>
  new Proxy(tx, {
    get(target, name) {
      const value = bound(target, name)
      if (typeof value !== 'function' || !WRITES.includes(name)) return value
      return (...given: unknown[]) => {
        write(tableOf(given[0]))
        return value(...given)
      }
    },
  })

/** The table that a statement names first; empty where it names none. */
function tableOf(given: unknown): string {
  const table = is(given, SQL) ? given.queryChunks.find((chunk) => is(chunk, Table)) : given
  return is(table, Table) ? getTableName(table) : ''
}

function bound(target: object, name: string | symbol) {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? (value.bind(target) as (...given: unknown[]) => unknown) : value
}
