import type { QuietHours } from '@shapecast/contracts/notifications'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** What a clock on the wall says there: `22:14`. */
export const clockIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(atMs)

const minutesOf = (clock: string): number => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3))

/** When the quiet hours around `nowMs` end, ms; null outside of them. */
export function quietUntil({ isOn, from, to, timeZone }: QuietHours, nowMs: number): number | null {
  if (!isOn) return null
  const now = clockIn(timeZone, nowMs)
  const isQuiet = from < to ? from <= now && now < to : from <= now || now < to
  if (!isQuiet) return null
  const left = (minutesOf(to) - minutesOf(now) + DAY_MINUTES) % DAY_MINUTES
  const endMs = (Math.floor(nowMs / MINUTE_MS) + left) * MINUTE_MS
  // Clocks that are changed meanwhile show another time then.
  const late =
    ((minutesOf(clockIn(timeZone, endMs)) - minutesOf(to) + 1.5 * DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2
  const shiftedMs = endMs - late * MINUTE_MS
  return clockIn(timeZone, shiftedMs) === to ? shiftedMs : endMs
}
