import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** 1970-01-01 was a Thursday; counted from Monday = 0. */
const FIRST_WEEKDAY = 3

/** Hours since midnight UTC at which the candle opens, with its fraction. */
export const hourOf = (ts: number): number => (ts % DAY_MS) / HOUR_MS

/** Day of the week UTC, Monday 0 … Sunday 6. */
export const weekdayOf = (ts: number): number => (Math.floor(ts / DAY_MS) + FIRST_WEEKDAY) % 7

/** Days of the week shape the features of every timeframe but 1m, whose training spans only days. */
export const usesWeekday = (timeframe: Timeframe): boolean => timeframe !== '1m'

/** Hours too, where a candle is shorter than a day. */
export const usesHour = (timeframe: Timeframe): boolean => usesWeekday(timeframe) && TIMEFRAME_MS[timeframe] < DAY_MS
