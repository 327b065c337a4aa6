import type { CandleRow } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import { candleQuery, candlesOfRun, chartTimeframe } from './run-candles.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the timeframe of a chart', () => {
  it('is the run’s own for 720 hours', () => {
    expect(chartTimeframe({ timeframe: '1h', startTime: 0, endTime: 719 * HOUR })).toBe('1h')
  })
  it('is the run’s own for exactly 10,000 candles, a wider one for 10,001', () => {
    expect(chartTimeframe({ timeframe: '1h', startTime: 0, endTime: 9_999 * HOUR })).toBe('1h')
    expect(chartTimeframe({ timeframe: '1h', startTime: 0, endTime: 10_000 * HOUR })).toBe('4h')
  })
  it('is 4h for a million minutes: 1h would be 16,667 candles', () => {
    expect(chartTimeframe({ timeframe: '1m', startTime: 0, endTime: 999_999 * MINUTE })).toBe('4h')
  })
})

it('asks for at least 300 candles, the last one of the run included', () => {
  const stretch = { timeframe: '1h', startTime: 0, endTime: 9 * HOUR } as const
  expect(candleQuery(stretch, '1h')).toEqual({ timeframe: '1h', limit: 300, before: 9 * HOUR + 1 })
})

it('draws the candles of the run only', () => {
  const rows = [0, 1, 2, 3, 4].map((h): CandleRow => [h * HOUR, 1, 1, 1, 1, 1])
  const stretch = { timeframe: '1h', startTime: HOUR, endTime: 3 * HOUR } as const
  expect(candlesOfRun(rows, stretch, '1h').map((row) => row[0] / HOUR)).toEqual([1, 2, 3])
})

it('keeps the wider candle in which the run begins', () => {
  const rows = [0, 4, 8].map((h): CandleRow => [h * HOUR, 1, 1, 1, 1, 1])
  const stretch = { timeframe: '1h', startTime: 2 * HOUR, endTime: 6 * HOUR } as const
  expect(candlesOfRun(rows, stretch, '4h').map((row) => row[0] / HOUR)).toEqual([0, 4])
})
