const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** 1970-01-01 was a Thursday; counted from Monday = 0. */
const FIRST_WEEKDAY = 3

/** Hours since midnight UTC at which the candle opens, with its fraction. */
export const hourOf = (ts: number): number => (ts % DAY_MS) / HOUR_MS

/** Day of the week UTC, Monday 0 … Sunday 6. */
export const weekdayOf = (ts: number): number => (Math.floor(ts / DAY_MS) + FIRST_WEEKDAY) % 7
