import { useSyncExternalStore } from 'react'
import { formatAgo, formatExactTime, useTimeZone } from '../format/time.ts'

const TICK_MS = 10_000

/**
 * The time of day to about ten seconds, one timer for all who watch it: for words such as '12 min ago', which grow old
 * while nothing else on a page changes.
 */
export function createCoarseClock(now: () => number = Date.now) {
  const listeners = new Set<() => void>()
  let readMs = 0
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    /** Calls `listener` at every tick until the returned function is called. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      timer ??= setInterval(() => {
        for (const one of listeners) one()
      }, TICK_MS)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    /** Epoch ms, the same within a tick, so that what is worked out from it twice in a render is the same. */
    nowMs(): number {
      const exact = now()
      if (exact - readMs >= TICK_MS || exact < readMs) readMs = exact
      return readMs
    },
  }
}

const clock = createCoarseClock()

/** '12 min ago', kept true while it stands; the exact time on hover. `ms` is epoch ms, and so is `nowMs`, where it is not ours. Drawn again only when its words change. */
export function Ago({ ms, nowMs }: { ms: number; nowMs?: number | undefined }) {
  useTimeZone()
  const words = useSyncExternalStore(clock.subscribe, () => formatAgo(ms, nowMs ?? clock.nowMs()))
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatExactTime(ms)} style={{ whiteSpace: 'nowrap' }}>
      {words}
    </time>
  )
}
