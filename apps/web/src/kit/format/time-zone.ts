import { storedChoice } from '../stored-choice.ts'

/** In which time clocks are written: one choice for every chart and table. Calendar days are those of UTC. */
export const TIME_ZONES = ['utc', 'local'] as const
export type TimeZone = (typeof TIME_ZONES)[number]

const timeZone = storedChoice<TimeZone>('timeZone', TIME_ZONES)

export const readTimeZone = timeZone.read
export const chooseTimeZone = timeZone.choose

/** The choice, for whatever writes clocks: it is drawn again when the choice changes. */
export const useTimeZone = timeZone.use

/** `UTC` or `local time`: beside clocks that do not say it themselves. */
export const zoneWords = () => (readTimeZone() === 'utc' ? 'UTC' : 'local time')
