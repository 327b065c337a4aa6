import type { Logger } from '@shapecast/platform/logging'
import pg from 'pg'

/** Work that only one process does at a time; `stop` must end it at once, whatever state the database is in. */
export interface Led {
  stop(): Promise<void>
}

export interface Candidate {
  leads(): boolean
  /** Gives the lead up, where it has it, and stands no more. */
  stop(): Promise<void>
}

/** First half of the key of our advisory locks for leaders; the other half is the hash of the name. */
const LOCK_CLASS = 72_153
const TRY_EVERY_MS = 1_500
const PING_EVERY_MS = 1_500
/**
 * The server ends a connection that has said nothing for so long, and with it the lock: so one that hangs, or whose
 * machine is gone, does not lead for ever.
 */
const SILENT_FOR_S = 6
/** With the next try another leads by then, whatever has become of the one before. */
export const LOST_LEAD_LASTS_MS = SILENT_FOR_S * 1000 + TRY_EVERY_MS
const ANSWER_MS = 3_000

/**
 * Stands for the lead under `name`: of all processes on one database one holds the lock, on a connection of its own,
 * and runs `lead`. Where that connection breaks or hangs the work is stopped and the process stands again.
 */
export function standForLead(deps: {
  url: string
  name: string
  lead: () => Promise<Led>
  log: Logger
  tryEveryMs?: number
}): Candidate {
  const { url, name, lead, log, tryEveryMs = TRY_EVERY_MS } = deps
  const ended = new AbortController()
  let leading = false

  async function stand(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'shapecast-feed',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    let broken: (error: Error) => void = () => {}
    const broke = new Promise<never>((_, reject) => {
      broken = reject
    })
    broke.catch(() => {})
    client.on('error', broken)
    client.on('end', () => broken(new Error('The connection was ended.')))
    let led: Led | null = null
    try {
      await client.connect()
      await client.query(`set idle_session_timeout = '${SILENT_FOR_S}s'`)
      await client.query('set tcp_keepalives_idle = 3').catch(() => {})
      await client.query('set tcp_user_timeout = 6000').catch(() => {})
      while (!ended.signal.aborted) {
        const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as got', [
          LOCK_CLASS,
          name,
        ])
        if (rows[0]!.got) break
        await pause(tryEveryMs)
      }
      if (ended.signal.aborted) return
      leading = true
      log.info(`this process leads: ${name}`)
      led = await Promise.race([lead(), broke])
      while (!ended.signal.aborted) {
        await Promise.race([client.query('select 1'), broke])
        await Promise.race([pause(PING_EVERY_MS), broke])
      }
    } finally {
      leading = false
      await led?.stop()
      await client.end().catch(() => {})
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        ended.signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      ended.signal.addEventListener('abort', done)
    })

  async function again(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        await stand()
      } catch (error) {
        if (!ended.signal.aborted) log.warn({ err: error }, `the lead of ${name} was lost, or could not be asked for`)
      }
      if (!ended.signal.aborted) await pause(tryEveryMs)
    }
  }
  const running = again()

  return {
    leads: () => leading,
    async stop() {
      ended.abort()
      await running
    },
  }
}
