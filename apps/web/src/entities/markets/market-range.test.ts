import type { Series } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { defaultRange, seriesFor, utcDayEnd, utcDayStart } from './market-range.ts'

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
