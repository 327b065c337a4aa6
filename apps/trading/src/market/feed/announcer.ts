import type { Logger } from '@shapecast/platform/logging'
import type pg from 'pg'
import { keyOf, type LiveMessage, sendMessages } from './live-messages.ts'

const EVERY_MS = 250
/** A database that is away must not fill the memory; a listener that missed something reads it. */
const MOST_WAITING = 5_000

/** Gathers what the feed has to say for a quarter of a second, so that a busy market is few notifications. */
export function createAnnouncer({ pool, log }: { pool: Pick<pg.Pool, 'query'>; log: Logger }) {
  const waiting = new Map<string, LiveMessage>()
  let sending: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function send(): Promise<void> {
    timer = undefined
    const messages = [...waiting.values()]
    waiting.clear()
    try {
      await sendMessages(pool, messages)
    } catch (error) {
      log.warn({ err: error, messages: messages.length }, 'live updates could not be announced')
    }
    if (waiting.size > 0 && !stopped) schedule()
  }
  const schedule = () => {
    timer ??= setTimeout(() => {
      sending = sending.then(send)
    }, EVERY_MS)
  }

  return {
    /** Takes a message along with the next notification; of prices and forming candles the newest only. */
    announce(message: LiveMessage): void {
      if (stopped) return
      const key = keyOf(message)
      waiting.delete(key)
      if (waiting.size < MOST_WAITING) waiting.set(key, message)
      schedule()
    },
    /** Sends what waits, and nothing after that. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await sending
      await send()
    },
  }
}

export type Announcer = ReturnType<typeof createAnnouncer>
