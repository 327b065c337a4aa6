import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Locks, SILENT_FOR_MS, type Turn } from './locks.ts'

/** Work that only one process does at a time; `stop` must end it at once, whatever state the database is in. */
export interface Led {
  stop(): Promise<void>
}

export interface Candidate {
  leads(): boolean
  /** Gives the lead up, where it has it, and stands no more. */
  stop(): Promise<void>
}

const TRY_EVERY_MS = 1_500
/**
 * With the next try another leads by then, whatever has become of the one before.
 * @internal for tests
 */
export const LOST_LEAD_LASTS_MS = SILENT_FOR_MS + TRY_EVERY_MS

/**
 * Stands for the lead under `name`: of all processes on one database one runs `lead`. Where it loses its lock the work is
 * stopped and the process stands again.
 */
export function standForLead(deps: {
  locks: Locks
  name: string
  lead: () => Promise<Led>
  log: Logger
  tryEveryMs?: number | undefined
}): Candidate {
  const { locks, name, lead, log, tryEveryMs = TRY_EVERY_MS } = deps
  const ended = new AbortController()
  let turn: Turn | null = null

  async function work(mine: Turn): Promise<void> {
    turn = mine
    try {
      log.info(`this process leads: ${name}`)
      const led = await lead()
      await Promise.race([aborted(mine.lost), aborted(ended.signal)])
      await led.stop()
    } finally {
      turn = null
    }
  }

  async function stand(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        await locks.alone(name, work, Number.POSITIVE_INFINITY)
      } catch (error) {
        if (!ended.signal.aborted) log.warn({ err: error }, `the lead of ${name} could not be taken`)
      }
      await wait(tryEveryMs, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  }
  const standing = stand()

  return {
    leads: () => turn !== null && !turn.lost.aborted,
    async stop() {
      ended.abort()
      await standing
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
