import { useSyncExternalStore } from 'react'
import { formatAgo, formatExactTime } from '../format/time.ts'
import { useTimeZone } from '../format/time-zone.ts'
import { createCoarseClock } from './coarse-clock.ts'

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
