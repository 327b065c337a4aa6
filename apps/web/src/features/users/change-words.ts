import { formatExactTime } from '#kit/format/time.ts'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const LONGEST_HASH = 12
const word = (value: unknown, key = ''): string => {
  if (value === undefined || value === null || value === '') return '—'
  if (typeof value === 'number' && key.endsWith('Ms')) return formatExactTime(value)
  if (typeof value === 'string') return /^[0-9a-f]{40,}$/.test(value) ? `${value.slice(0, LONGEST_HASH)}…` : value
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map((one) => word(one)).join(', ')
  return isRecord(value) && Object.keys(value).length === 0 ? '—' : JSON.stringify(value)
}
/** A time is shown as one, without its unit. */
const nameOf = (key: string): string => key.replace(/Ms$/, '')

/** What changed, in a line: 'role: user → admin'. What was only made, or only removed, is listed with its values. */
export function changeWords(before: unknown, after: unknown): string {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter(
      (key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]) && (isRecord(before) || word(is[key]) !== '—'),
    )
    .map((key) =>
      isRecord(before)
        ? `${nameOf(key)}: ${word(was[key], key)} → ${word(is[key], key)}`
        : `${nameOf(key)}: ${word(is[key], key)}`,
    )
    .join(', ')
}
