import type { Series } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { defaultRange, effectiveRange, rangeHint, seriesFor, utcDayEnd, utcDayStart } from './date-range.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const series: Series = {
  venue: 'replay',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  candles: 2401,
  first: 0,
  last: 100 * DAY,
  gapCount: 0,
  missingCandles: 0,
}

describe('the default range', () => {
  it('is the last 30 days up to the last whole candle', () => {
    const range = defaultRange({ kind: 'live', nowMs: 50 * DAY + 20 * 60_000 }, '1h', undefined)
    expect(range).toEqual({ fromMs: 20 * DAY, toMs: 50 * DAY })
  })

  it('ends with the stored candles where the clock is far beyond them', () => {
    const range = defaultRange({ kind: 'replay', nowMs: 900 * DAY }, '1h', series)
    expect(range).toEqual({ fromMs: 70 * DAY + HOUR, toMs: 100 * DAY + HOUR })
  })

  it('ends with the replayed time where that is earlier', () => {
    expect(defaultRange({ kind: 'replay', nowMs: 60 * DAY }, '1h', series).toMs).toBe(60 * DAY)
  })

  it('begins with the first stored candle where there are fewer than 30 days', () => {
    expect(defaultRange({ kind: 'replay', nowMs: 10 * DAY }, '1h', series).fromMs).toBe(0)
  })
})

describe('the range in the fields', () => {
  const byDefault = { fromMs: 70 * DAY, toMs: 100 * DAY }
  const range = (chosen: { fromMs?: number; toMs?: number; limit?: number }) =>
    effectiveRange({ fromMs: null, toMs: null, limit: 'derived', ...chosen }, byDefault, '1h')

  it('is the default until a date is chosen', () => expect(range({})).toEqual(byDefault))
  it('takes one chosen date and keeps the other', () => {
    expect(range({ fromMs: 80 * DAY })).toEqual({ fromMs: 80 * DAY, toMs: 100 * DAY })
  })
  it('of an earlier end is the 30 days before it', () => {
    expect(range({ toMs: 50 * DAY })).toEqual({ fromMs: 20 * DAY, toMs: 50 * DAY })
  })
  it('begins 1,000 hours before its end where 1,000 candles were typed', () => {
    expect(range({ fromMs: 90 * DAY, limit: 1000 })).toEqual({ fromMs: 100 * DAY - 1000 * HOUR, toMs: 100 * DAY })
  })
})

describe('the series of a timeframe', () => {
  const minutes: Series = { ...series, timeframe: '1m' }
  it('is its own', () => expect(seriesFor([minutes, series], 'BTCUSDT', '1h')).toBe(series))
  it('is the widest finer one, from which 4h are put together', () => {
    expect(seriesFor([minutes, series], 'BTCUSDT', '4h')).toBe(series)
  })
  it('is none where only wider candles are stored, or those of another symbol', () => {
    expect(seriesFor([series], 'BTCUSDT', '30m')).toBeUndefined()
    expect(seriesFor([series], 'ETHUSDT', '1h')).toBeUndefined()
  })
})

describe('days', () => {
  it('begin at midnight UTC', () => expect(utcDayStart(3 * DAY + 5 * HOUR)).toBe(3 * DAY))
  it('end at midnight, today ends now', () => {
    expect(utcDayEnd(3 * DAY + 5 * HOUR, 9 * DAY)).toBe(4 * DAY)
    expect(utcDayEnd(9 * DAY, 9 * DAY + 6 * HOUR)).toBe(9 * DAY + 6 * HOUR)
  })
})

describe('the hint', () => {
  it('says what is stored', () => {
    expect(rangeHint({ fromMs: DAY, toMs: 2 * DAY }, series, 'replay', 'BTCUSDT', '1h')).toEqual({
      text: 'Stored: 1 Jan – 11 Apr 1970',
      outside: false,
    })
  })
  it('warns of a range without a stored candle', () => {
    expect(rangeHint({ fromMs: 101 * DAY, toMs: 102 * DAY }, series, 'replay', 'BTCUSDT', '1h')?.outside).toBe(true)
  })
  it('is silent on a simulated market, which has candles at any time', () => {
    expect(rangeHint({ fromMs: 0, toMs: DAY }, undefined, 'simulated', 'BTCUSDT', '1h')).toBeNull()
  })
})
