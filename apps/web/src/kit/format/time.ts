import { keptChoice } from '../kept.ts'
import { type Figure, UNKNOWN } from './number.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const two = (value: number) => String(value).padStart(2, '0')

const isLocalTime = () => readTimeZone() === 'local'
const zoneSuffix = () => (isLocalTime() ? 'local' : 'UTC')

interface TimeParts {
  day: number
  month: string
  year: number
  clock: string
  seconds: string
}

/** Largest time that a Date can hold, ms either side of 1970. */
const LAST_MS = 8.64e15

/** Parts of a time in UTC, or with `isLocal` in the time of this machine. */
function timeParts(ms: Figure, isLocal = false): TimeParts | null {
  if (typeof ms !== 'number' || !Number.isFinite(ms) || Math.abs(ms) > LAST_MS) return null
  const date = new Date(isLocal ? ms - new Date(ms).getTimezoneOffset() * MINUTE_MS : ms)
  return {
    day: date.getUTCDate(),
    month: MONTHS[date.getUTCMonth()]!,
    year: date.getUTCFullYear(),
    clock: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`,
    seconds: two(date.getUTCSeconds()),
  }
}

const write = (parts: TimeParts | null, text: (parts: TimeParts) => string): string =>
  parts === null ? UNKNOWN : text(parts)
const withDay = (ms: Figure, text: (parts: TimeParts) => string): string => write(timeParts(ms), text)
const withClock = (ms: Figure, text: (parts: TimeParts) => string): string => write(timeParts(ms, isLocalTime()), text)

/** `20 Nov 2025`, UTC. */
export const formatDate = (ms: Figure): string => withDay(ms, (t) => `${t.day} ${t.month} ${t.year}`)

/** `20 Nov`, UTC: where the year is plain from what stands beside it. */
export const formatDay = (ms: Figure): string => withDay(ms, (t) => `${t.day} ${t.month}`)

/** `2025`, UTC. */
export const formatYear = (ms: Figure): string => withDay(ms, (t) => String(t.year))

/** `Nov 2025`, UTC. */
export const formatMonth = (ms: Figure): string => withDay(ms, (t) => `${t.month} ${t.year}`)

// What follows has a clock and is written in the chosen time; the examples are of UTC.

/** `20 Nov, 14:00 UTC`; with the year where it is not the year of `nowMs`. */
export const formatDateTime = (ms: Figure, nowMs?: number): string =>
  withClock(ms, (t) => {
    const thisYear = nowMs === undefined || timeParts(nowMs, isLocalTime())?.year === t.year
    return `${t.day} ${t.month}${thisYear ? '' : ` ${t.year}`}, ${t.clock} ${zoneSuffix()}`
  })

/** The whole of a time, for hovering: `20 Nov 2025, 14:00:05 UTC`. */
export const formatExactTime = (ms: Figure): string =>
  withClock(ms, (t) => `${t.day} ${t.month} ${t.year}, ${t.clock}:${t.seconds} ${zoneSuffix()}`)

/** `19 Nov, 20:00`: in a table that says which time its times are in. */
export const formatTableTime = (ms: Figure): string => withClock(ms, (t) => `${t.day} ${t.month}, ${t.clock}`)

/** `19 Nov 2025, 20:00`: as `formatTableTime` where the rows are not of one year. */
export const formatTableTimeYear = (ms: Figure): string =>
  withClock(ms, (t) => `${t.day} ${t.month} ${t.year}, ${t.clock}`)

/** `14:00`: on an axis that says its day. */
export const formatHour = (ms: Figure): string => withClock(ms, (t) => t.clock)

/** `20 Nov`: the tick of a day on an axis; `19 Nov 19:00` where the day of UTC begins at another hour. */
export const formatDayTick = (ms: Figure): string =>
  withClock(ms, (t) => (t.clock === '00:00' ? `${t.day} ${t.month}` : `${t.day} ${t.month} ${t.clock}`))

/** `20 Nov 2025, 14:00 UTC` */
export const formatDateTimeYear = (ms: Figure): string =>
  withClock(ms, (t) => `${t.day} ${t.month} ${t.year}, ${t.clock} ${zoneSuffix()}`)

/** `14:00:04`: beside what says its day and which time it is in. */
export const formatSecond = (ms: Figure): string => withClock(ms, (t) => `${t.clock}:${t.seconds}`)

/** `20 Nov 2025`: the day of such a time. */
export const formatWallDay = (ms: Figure): string => withClock(ms, (t) => `${t.day} ${t.month} ${t.year}`)

/** `14:00:04 UTC` */
export const formatClock = (ms: Figure): string => withClock(ms, (t) => `${t.clock}:${t.seconds} ${zoneSuffix()}`)

/** `21 Oct – 20 Nov 2025`; both years where they differ, one date where the days are the same. */
export function formatDateRange(fromMs: Figure, toMs: Figure): string {
  const from = timeParts(fromMs)
  const to = timeParts(toMs)
  if (from === null || to === null) return UNKNOWN
  if (formatDate(fromMs) === formatDate(toMs)) return formatDate(toMs)
  return `${from.year === to.year ? formatDay(fromMs) : formatDate(fromMs)} – ${formatDate(toMs)}`
}

/** `12 min ago`, `1 h ago`, `2 d ago`; after 30 days the date. A time in the future (clocks differ) is `just now`. */
export function formatAgo(ms: Figure, nowMs: number): string {
  if (typeof ms !== 'number' || !Number.isFinite(ms)) return UNKNOWN
  const age = nowMs - ms
  if (age < SECOND_MS) return 'just now'
  if (age < MINUTE_MS) return `${Math.floor(age / SECOND_MS)} s ago`
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`
  if (age <= 30 * DAY_MS) return `${Math.floor(age / DAY_MS)} d ago`
  return formatDate(ms)
}

/** A stretch of time in its two largest units: `45 min`, `9 h`, `2 d 11 h`. */
export function formatSpan(ms: Figure): string {
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return UNKNOWN
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`
  const hours = Math.round(ms / HOUR_MS)
  if (hours < 24) return `${hours} h`
  const rest = hours % 24
  return rest === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${rest} h`
}

/** How long something took or will take: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function formatDuration(ms: Figure): string {
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return UNKNOWN
  if (ms < 9950) return `${(ms / SECOND_MS).toFixed(1)} s`
  const seconds = Math.round(ms / SECOND_MS)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} min`
}

/** How long something still takes (', about 2 min 05 s left'), 10 s at least; nothing where nobody knows. */
export const timeLeft = (seconds: number | null | undefined): string =>
  seconds == null ? '' : `, about ${formatDuration(Math.max(10, seconds) * SECOND_MS)} left`

/** In which time clocks are written: one choice for every chart and table. Calendar days are those of UTC. */
export const TIME_ZONES = ['utc', 'local'] as const
type TimeZone = (typeof TIME_ZONES)[number]

const timeZone = keptChoice<TimeZone>('timeZone', TIME_ZONES)

const readTimeZone = timeZone.read
export const chooseTimeZone = timeZone.choose

/** The choice, for whatever writes clocks: it is drawn again when the choice changes. */
export const useTimeZone = timeZone.use

/** `UTC` or `local time`: beside clocks that do not say it themselves. */
export const zoneWords = () => (readTimeZone() === 'utc' ? 'UTC' : 'local time')
