import { AsyncResource } from 'node:async_hooks'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Logger } from 'pino'
import { createLocks, type Locks } from './locks.ts'
import { timeLeftMs } from './time-limit.ts'
import { isUnreachable } from './unreachable.ts'

/** The oldest server that has what we use (unique keys in which nulls are alike). */
const OLDEST_SERVER = 150_000

// Times in ms and counts, far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * The server ends a connection that asks nothing for so long in the middle of a transaction: its process stands still, and
 * its locks hold up everybody else. Nothing waits for an exchange or a model in one (`locks.ts` has the turns for that).
 */
const IDLE_IN_TRANSACTION_MS = 30_000
/** Longest wait for a connection, one of the pool's own or a new one. */
export const CONNECT_WITHIN_MS = 10_000

/** Statements that a connection keeps, and how long one may be: lists of any length make texts without end. */
const MOST_PREPARED = 300
const LONGEST_PREPARED = 4_000
/** A connection that has met many statements gives way to one that prepares those of today. */
const LIFETIME_S = 3_600

/**
 * A connection that prepares its statements: the server parses and plans each once, which is two thirds of what a small one
 * costs. Its questions take no longer than their caller waits (see `within`): one that comes too late is not asked, and one
 * without an answer in time fails. Its holder has to drop the connection then.
 */
class LimitedClient extends pg.Client {
  readonly #names = new Map<string, string>()

  // biome-ignore lint/suspicious/noExplicitAny: every way of asking that pg's client knows
  override query(question: any, ...rest: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: the same
    const ask: (...all: any[]) => any = super.query
    let left: number | null
    try {
      left = timeLeftMs()
    } catch (error) {
      const callback = rest.at(-1)
      if (typeof callback !== 'function') return Promise.reject(error)
      process.nextTick(callback, error)
      return undefined
    }
    if (typeof question?.submit === 'function') return ask.call(this, question, ...rest)
    const asked = typeof question === 'string' ? { text: question } : { ...question }
    const values = asked.values ?? rest[0]
    // Without values it may be several statements, which cannot be prepared.
    if (Array.isArray(values) && values.length > 0) asked.name ??= this.#nameOf(asked.text)
    if (left !== null) asked.query_timeout = Math.ceil(left)
    return ask.call(this, asked, ...rest)
  }

  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text)
    if (name === undefined && text.length <= LONGEST_PREPARED && this.#names.size < MOST_PREPARED) {
      name = `s${this.#names.size}`
      this.#names.set(text, name)
    }
    return name
  }
}

/** A caller that waits for a connection is called back in its own context, not in that of the caller that gave it back. */
class LimitedPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: with a callback or without
  override connect(callback?: any): any {
    return callback === undefined ? super.connect() : super.connect(AsyncResource.bind(callback))
  }
}

/** A pool of connections to one PostgreSQL database, embedded or not. */
export interface Database {
  /** Drizzle over the pool. Its transactions (`orm.transaction`) take one connection of it. */
  readonly orm: NodePgDatabase
  readonly pool: pg.Pool
  /** Turns at work that one process of the installation does at a time. */
  readonly locks: Locks
  /** Address with the password, for libraries that make connections of their own. Never log it. */
  readonly url: string
  close(): Promise<void>
}

/** What a store takes: the database or a transaction of it. */
export type Orm = Pick<
  NodePgDatabase,
  'select' | 'selectDistinct' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute' | '$count'
>

/**
 * Connects to `url`. Throws an Error with a text for people where the server cannot be reached or is too old.
 * A connection that breaks later is replaced by the pool; it is logged, never thrown at nobody.
 */
export async function connect(
  url: string,
  log: Logger,
  options: { max?: number; idleInTransactionMs?: number; connectWithinMs?: number } = {},
): Promise<Database> {
  const pool = new LimitedPool({
    Client: LimitedClient,
    connectionString: url,
    max: options.max ?? 10,
    application_name: 'shapecast',
    connectionTimeoutMillis: options.connectWithinMs ?? CONNECT_WITHIN_MS,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    maxLifetimeSeconds: LIFETIME_S,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection broke'))
  // The pool listens to connections that rest. One that breaks in a transaction, between two questions, would end the
  // process; its holder hears of it by the next query.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  try {
    const { rows } = await pool.query<{ version: number; shown: string }>(
      "select current_setting('server_version_num')::int as version, current_setting('server_version') as shown",
    )
    const { version, shown } = rows[0]!
    if (version < OLDEST_SERVER)
      throw new Error(`DATABASE_URL: the server is PostgreSQL ${shown}; Shapecast needs PostgreSQL 15 or newer.`)
  } catch (error) {
    await pool.end()
    throw error
  }
  const locks = createLocks(url, log)
  let closed: Promise<void> | undefined
  return {
    orm: ormOver(pool),
    pool,
    locks,
    url,
    close() {
      closed ??= locks.close().then(() => pool.end())
      return closed
    },
  }
}

/**
 * Drizzle over a pool, whose transactions give their connection back whatever happens: Drizzle's own keep it where even
 * `begin` fails, and a pool that has lost all of its connections so answers nobody any more.
 */
function ormOver(pool: pg.Pool): NodePgDatabase {
  const orm = drizzle({ client: pool })
  orm.transaction = async (work, config) => {
    const client = await pool.connect()
    let broken = false
    try {
      return await drizzle({ client }).transaction(work, config)
    } catch (error) {
      broken = isUnreachable(error)
      throw error
    } finally {
      client.release(broken)
    }
  }
  return orm
}
