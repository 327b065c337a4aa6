import { candleCount, TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import { type TimeRange, utcDayStart } from '#entities/markets/market-range.ts'
import { formatDate } from '#kit/format/time.ts'

/** What one training reads at most. */
export const MOST_CANDLES = 5000

/** What stands in the date fields: a day, `undefined` where nobody chose, `null` where the field was emptied. */
export type ChosenDay = number | null | undefined

/** The range in the fields: chosen ends, else the default's; null where a field is empty. */
export interface DatasetWindow {
  readonly fromMs: number | null
  readonly toMs: number | null
}

/**
 * The range of the chosen days. A day that was chosen as the end is part of it, but nothing lies after the market's
 * now; the default's end is kept to the candle.
 */
export function windowOf(
  from: ChosenDay,
  to: ChosenDay,
  byDefault: TimeRange,
  dayEnd: (day: number) => number,
): DatasetWindow {
  return {
    fromMs: from === undefined ? byDefault.fromMs : from,
    toMs: to === undefined ? byDefault.toMs : to === null ? null : dayEnd(to),
  }
}

/** Candles by the range (1 to 5000, 0 without both dates), and rows of its export: 400 fewer, at least 1. */
export function windowCounts({ fromMs, toMs }: DatasetWindow, timeframe: Timeframe): { candles: number; rows: number } {
  const candles = candleCount(fromMs, toMs, timeframe)
  return { candles, rows: Math.max(1, candles - HOLDOUT_CANDLES) }
}

/** Where a training of the range begins, ms: 5,000 candles are the most that one reads, the newest of the range. */
export const trainingStart = (fromMs: number, toMs: number, timeframe: Timeframe): number =>
  Math.max(fromMs, toMs - MOST_CANDLES * TIMEFRAME_MS[timeframe])

/** The day from which on a range to `toMs` holds 5,000 candles. */
export const dayOfMostCandles = (toMs: number, timeframe: Timeframe): number =>
  utcDayStart(Math.max(0, toMs - MOST_CANDLES * TIMEFRAME_MS[timeframe]))

export interface WindowErrors {
  readonly from?: string
  readonly to?: string
}

/** What is wrong with the dates, as sentences by field; nothing where all is well. `nowMs` is the market's clock. */
export function windowErrors({ fromMs, toMs }: DatasetWindow, nowMs: number): WindowErrors {
  const late = `The market has come to ${formatDate(nowMs)}`
  if (fromMs !== null && fromMs >= nowMs) return { from: late }
  if (toMs !== null && toMs > nowMs && utcDayStart(toMs - 1) > nowMs) return { to: late }
  return fromMs !== null && toMs !== null && fromMs >= toMs ? { to: 'To must be later than From' } : {}
}
