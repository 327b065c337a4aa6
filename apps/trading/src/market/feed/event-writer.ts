import type { ServerResponse } from 'node:http'
import type { Outgoing } from './event-hub.ts'

/** Events that wait for one slow reader; past that it is told to read everything again. */
const MOST_WAITING = 500
/** A reader that takes nothing for so long is gone. */
const STALLED_MS = 60_000

const textOf = ({ id, event }: Outgoing): string =>
  `id: ${id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`

/**
 * Writes server-sent events (HTML standard, section 9.2). While the reader does not keep up nothing is queued but the
 * newest event of each key, so its memory is bounded.
 */
export function createEventWriter(raw: Pick<ServerResponse, 'write' | 'once' | 'destroy'>, now: () => number) {
  const waiting = new Map<string, Outgoing>()
  let blockedSinceMs: number | null = null

  const write = (text: string): void => {
    if (raw.write(text) || blockedSinceMs !== null) return
    blockedSinceMs = now()
    raw.once('drain', () => {
      blockedSinceMs = null
      if (waiting.size === 0) return
      const text = [...waiting.values()].map(textOf).join('')
      waiting.clear()
      write(text)
    })
  }

  return {
    send(event: Outgoing): void {
      if (blockedSinceMs === null) {
        write(textOf(event))
        return
      }
      if (waiting.size >= MOST_WAITING && !waiting.has(event.key)) {
        waiting.clear()
        waiting.set('reset', { id: event.id, key: 'reset', event: { event: 'reset', data: {} } })
        return
      }
      waiting.delete(event.key)
      waiting.set(event.key, event)
    },
    /** A comment, to show that the connection lives. Ends one that has stalled. */
    beat(): void {
      if (blockedSinceMs === null) write(':\n\n')
      else if (now() - blockedSinceMs > STALLED_MS) raw.destroy()
    },
  }
}
