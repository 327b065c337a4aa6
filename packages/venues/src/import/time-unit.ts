export type TimeUnit = 's' | 'ms' | 'us'

/** Before 2009-01-01 no coin existed: an earlier time is a mistake of the file. */
export const EARLIEST_MS = Date.UTC(2009, 0, 1)

/**
 * The unit of a time since 1970, told by its magnitude: within 2001–2286 seconds have 10 digits, milliseconds 13 and
 * microseconds 16. Null for every other number.
 */
export function timeUnitOf(value: number): TimeUnit | null {
  if (value >= 1e9 && value < 1e10) return 's'
  if (value >= 1e12 && value < 1e13) return 'ms'
  if (value >= 1e15 && value < 1e16) return 'us'
  return null
}

/** Milliseconds of a time in `unit`; not whole where microseconds are not. */
export function msOf(value: number, unit: TimeUnit): number {
  switch (unit) {
    case 's':
      return value * 1000
    case 'ms':
      return value
    case 'us':
      return value / 1000
    default:
      return unit satisfies never
  }
}

export const UNIT_NAMES: Readonly<Record<TimeUnit, string>> = { s: 'seconds', ms: 'milliseconds', us: 'microseconds' }
