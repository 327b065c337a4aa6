import { candlesNeeded } from '@shapecast/contracts/training-candles'
import { describe, expect, it } from 'vitest'
import { dayOfMostCandles, trainingStart, windowCounts, windowErrors, windowOf } from './use-data-choice.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const byDefault = { fromMs: 70 * DAY + HOUR, toMs: 100 * DAY + HOUR }
const dayEnd = (day: number) => day + DAY

describe('the dataset window', () => {
  it('is the default, to the candle, until a day is chosen', () =>
    expect(windowOf(undefined, undefined, byDefault, dayEnd)).toEqual(byDefault))
  it('takes the chosen end whole', () =>
    expect(windowOf(80 * DAY, 90 * DAY, byDefault, dayEnd)).toEqual({ fromMs: 80 * DAY, toMs: 91 * DAY }))
  it('lacks a date where a field was emptied', () =>
    expect(windowOf(null, undefined, byDefault, dayEnd).fromMs).toBeNull())

  it('has 720 hourly candles in 30 days and exports 320 rows', () =>
    expect(windowCounts(byDefault, '1h')).toEqual({ candles: 720, rows: 320 }))
  it('is capped at 5,000 candles', () =>
    expect(windowCounts({ fromMs: 0, toMs: 100 * DAY }, '1m')).toEqual({ candles: 5000, rows: 4600 }))
  it('rounds a begun candle up, and exports at least 1 row', () =>
    expect(windowCounts({ fromMs: 0, toMs: HOUR + 1 }, '1h')).toEqual({ candles: 2, rows: 1 }))
  it('without a date has none', () => expect(windowCounts({ fromMs: null, toMs: DAY }, '1h').candles).toBe(0))

  it('begins 208 days and 8 hours before its end for 5,000 hours, at the start of that day', () =>
    expect(dayOfMostCandles(300 * DAY, '1h')).toBe(91 * DAY))
  it('is trained from 5,000 candles before its end where it holds more', () => {
    expect(trainingStart(0, 300 * DAY, '1h')).toBe(300 * DAY - 5000 * HOUR)
    expect(trainingStart(290 * DAY, 300 * DAY, '1h')).toBe(290 * DAY)
  })
  it('is too short to train on below 1,137 candles, more with a longer lookback', () =>
    expect([candlesNeeded(), candlesNeeded(120)]).toEqual([1137, 1227]))
  it('says so where it ends before it begins', () => {
    const now = Date.UTC(2025, 10, 20, 14)
    expect(windowErrors({ fromMs: 2, toMs: 1 }, now)).toEqual({ to: 'To must be later than From' })
    expect(windowErrors({ fromMs: 1, toMs: 2 }, now)).toEqual({})
    expect(windowErrors({ fromMs: null, toMs: 2 }, now)).toEqual({})
  })
  it('says how far the market has come where it begins or ends after that', () => {
    const now = Date.UTC(2025, 10, 20, 14)
    const late = 'The market has come to 20 Nov 2025'
    expect(windowErrors({ fromMs: now + DAY, toMs: now }, now)).toEqual({ from: late })
    expect(windowErrors({ fromMs: 0, toMs: Date.UTC(2025, 10, 21) + 1 }, now)).toEqual({ to: late })
    expect(windowErrors({ fromMs: 0, toMs: now }, now)).toEqual({})
  })
})
