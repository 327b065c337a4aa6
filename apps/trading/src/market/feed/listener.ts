import type { Logger } from '@shapecast/platform/logging'
import pg from 'pg'
import { CHANNEL, type LiveMessage, readMessages } from './live-messages.ts'

export interface Listener {
  stop(): Promise<void>
}

const PING_MS = 10_000
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 5_000

/**
 * Hands on every message of the channel, on a connection of its own. `onGap` is called each time after the connection
 * was lost and is back: what was said meanwhile is not known. Resolves once it listens.
 */
export async function listenToMessages(deps: {
  url: string
  log: Logger
  onMessages: (messages: LiveMessage[]) => void
  onGap: () => void
}): Promise<Listener> {
  const { url, log, onMessages, onGap } = deps
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function open(): Promise<void> {
    const mine = new pg.Client({
      connectionString: url,
      application_name: 'shapecast-listener',
      keepAlive: true,
      query_timeout: 5_000,
      connectionTimeoutMillis: 5_000,
    })
    client = mine
    let lost = false
    const lose = (error?: Error) => {
      if (lost) return
      lost = true
      clearInterval(ping)
      void mine.end().catch(() => {})
      if (stopped) return
      log.warn({ err: error }, 'the connection for live updates broke')
      again(FIRST_BACKOFF_MS)
    }
    mine.on('error', lose)
    mine.on('end', () => lose())
    mine.on('notification', ({ payload }) => onMessages(readMessages(payload ?? '')))
    // A dead connection says nothing by itself.
    const ping = setInterval(() => mine.query('select 1').catch(lose), PING_MS).unref()
    try {
      await mine.connect()
      await mine.query(`listen ${CHANNEL}`)
    } catch (error) {
      lost = true
      clearInterval(ping)
      void mine.end().catch(() => {})
      throw error
    }
  }

  function again(afterMs: number): void {
    timer = setTimeout(() => {
      open().then(onGap, () => {
        if (!stopped) again(Math.min(afterMs * 2, LONGEST_BACKOFF_MS))
      })
    }, afterMs)
  }

  await open()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
