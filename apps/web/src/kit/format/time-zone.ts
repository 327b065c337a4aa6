/** In which time clocks are written: one choice for every chart and table. Calendar days are those of UTC. */
export const TIME_ZONES = ['utc', 'local'] as const
export type TimeZone = (typeof TIME_ZONES)[number]

const KEY = 'timeZone'

function kept(): TimeZone {
  try {
    return globalThis.localStorage?.getItem(KEY) === 'local' ? 'local' : 'utc'
  } catch {
    return 'utc'
  }
}

/** The choice of this page: what was kept when it was loaded. */
export const timeZone: TimeZone = kept()

/** `UTC` or `local time`: beside clocks that do not say it themselves. */
export const ZONE_WORDS = timeZone === 'utc' ? 'UTC' : 'local time'

/** Keeps the choice and loads the page again: times are written with it everywhere. */
export function chooseTimeZone(next: TimeZone): void {
  window.localStorage.setItem(KEY, next)
  window.location.reload()
}
