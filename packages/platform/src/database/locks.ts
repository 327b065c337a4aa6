import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Logger } from 'pino'

/** A turn at work that one process of the installation does at a time. */
export interface Turn {
  /** Aborted once another process may have taken the turn. */
  readonly lost: AbortSignal
  /** Throws `TurnLost` then. Ask it before each step of the work; rows and their locks guard what is under way. */
  require(): void
}

export interface Locks {
  /**
   * Runs `work` unless it is under way, here or in another process; returns whether it ran. No transaction is open
   * meanwhile. A turn that takes longer than `longestMs` is lost, so that one that hangs keeps nobody from the work.
   */
  alone(name: string, work: (turn: Turn) => Promise<void>, longestMs?: number): Promise<boolean>
  close(): Promise<void>
}

/** Another process may have the turn: the connection that held its lock is gone, or was silent for too long. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost'
}

/** First half of the key of our locks; the other half is the hash of the name. */
const LOCK_CLASS = 72_153
const PING_EVERY_MS = 1_500
const ANSWER_MS = 3_000
const LONGEST_MS = 15 * 60_000
/** The server ends a connection that is silent for so long, and its locks with it: a process that hangs holds none. */
export const SILENT_FOR_MS = 6_000

/** Waits until no other transaction, of whatever process, holds the lock of that name, and holds it until its own end. */
export async function lockUntilCommit(tx: Pick<NodePgDatabase, 'execute'>, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/**
 * Locks of this process on one connection of its own, which is opened with the first: however many are held, and for how
 * long, they take none of the pool. Where that connection is lost, all turns are.
 */
export function createLocks(url: string, log: Logger): Locks {
  const underWay = new Set<string>()
  let session: Promise<Session> | null = null

  function connected(): Promise<Session> {
    session ??= openSession(url).then(
      (opened) => {
        opened.gone.addEventListener('abort', () => {
          session = null
          if (underWay.size > 0)
            log.warn({ err: opened.gone.reason, turns: [...underWay] }, 'the connection of locks broke')
        })
        return opened
      },
      (error: unknown) => {
        session = null
        throw error
      },
    )
    return session
  }

  return {
    async alone(name, work, longestMs = LONGEST_MS) {
      // The server would grant it again to the connection that has it.
      if (underWay.has(name)) return false
      underWay.add(name)
      try {
        const held = await connected()
        const { got } = await held.ask('select pg_try_advisory_lock($1, hashtext($2)) as got', [LOCK_CLASS, name])
        if (got !== true) return false
        const lost = new AbortController()
        const lose = () => lost.abort(held.gone.reason)
        held.gone.addEventListener('abort', lose)
        const free = () =>
          held.ask('select pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name]).catch(() => undefined)
        const late = () => {
          log.error(`${name} takes longer than ${longestMs / 60_000} minutes: another process may take its turn`)
          lost.abort(new TurnLost(`${name} took too long.`))
          void free()
        }
        const timer = longestMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(late, longestMs).unref()
        try {
          if (held.gone.aborted) lose()
          await work({
            lost: lost.signal,
            require() {
              if (lost.signal.aborted || !held.isSure())
                throw new TurnLost(`Another process may have the turn of ${name}.`, { cause: lost.signal.reason })
            },
          })
          return true
        } finally {
          clearTimeout(timer)
          held.gone.removeEventListener('abort', lose)
          if (!lost.signal.aborted) await free()
        }
      } finally {
        underWay.delete(name)
      }
    },

    async close() {
      await session?.then(
        (opened) => opened.end(),
        () => undefined,
      )
    },
  }
}

interface Session {
  /** Aborted once the connection is lost or ended, and with it all of its locks. */
  readonly gone: AbortSignal
  /** Whether the server cannot have ended it for its silence: a process that stood still does not know yet. */
  isSure(): boolean
  /** The first row of the answer. A question that fails ends the session: nobody knows what it still holds. */
  ask(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>>
  end(): Promise<void>
}

async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'shapecast-locks',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  })
  const gone = new AbortController()
  let sureUntilMs = 0
  let before: Promise<unknown> = Promise.resolve()
  let pings: NodeJS.Timeout | undefined

  const end = async (reason = new Error('The connection was ended.')): Promise<void> => {
    clearInterval(pings)
    gone.abort(reason)
    await client.end().catch(() => undefined)
  }
  const ask = (text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>> => {
    const answer = before.then(async () => {
      gone.signal.throwIfAborted()
      const askedMs = performance.now()
      const { rows } = await client.query(text, [...values])
      sureUntilMs = askedMs + SILENT_FOR_MS
      return rows[0] ?? {}
    })
    before = answer.catch(end)
    return answer
  }
  client.on('error', (error) => void end(error))
  client.on('end', () => void end())
  try {
    await client.connect()
    await ask(`set idle_session_timeout = '${SILENT_FOR_MS}ms'`)
    // Where the server's machine cannot do these, its silence is noticed later.
    await client.query('set tcp_keepalives_idle = 3').catch(() => undefined)
    await client.query(`set tcp_user_timeout = ${SILENT_FOR_MS}`).catch(() => undefined)
  } catch (error) {
    await end()
    throw error
  }
  pings = setInterval(() => void ask('select 1').catch(() => undefined), PING_EVERY_MS).unref()
  return { gone: gone.signal, isSure: () => performance.now() < sureUntilMs, ask, end }
}
