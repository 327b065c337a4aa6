import type { Series } from '@shapecast/contracts/market'
import type { Model } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { effectiveRange, rangeHint, unseenFromMs, unseenPart } from './backtest-request.ts'

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

describe('the range in the fields', () => {
  const byDefault = { fromMs: 70 * DAY, toMs: 100 * DAY }
  const range = (chosen: { fromMs?: number; toMs?: number; limit?: number }) =>
    effectiveRange({ fromMs: null, toMs: null, limit: 'derived', ...chosen }, byDefault, '1h')

  it('is the default until a date is chosen', () => expect(range({})).toEqual(byDefault))
  it('takes one chosen date and keeps the other', () => {
    expect(range({ fromMs: 80 * DAY })).toEqual({ fromMs: 80 * DAY, toMs: 100 * DAY })
  })
  it('covers the 30 days before an earlier end', () => {
    expect(range({ toMs: 50 * DAY })).toEqual({ fromMs: 20 * DAY, toMs: 50 * DAY })
  })
  it('keeps a beginning that was chosen, however many candles were typed', () => {
    expect(range({ fromMs: 80 * DAY, limit: 1000 })).toEqual({ fromMs: 80 * DAY, toMs: 100 * DAY })
  })
  it('begins 1,000 hours before its end where 1,000 candles were typed', () => {
    expect(range({ limit: 1000 })).toEqual({ fromMs: 100 * DAY - 1000 * HOUR, toMs: 100 * DAY })
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

const model = (version: string, holdoutFrom: number) =>
  ({ version, artifacts: [{ symbol: 'BTCUSDT', timeframe: '1h', holdoutFrom }] }) as unknown as Model
const models = [model('v3', 100 * HOUR), model('v4', 200 * HOUR)]

describe('what models have not seen', () => {
  it('begins after the last candle that any of them has seen', () => {
    expect(unseenFromMs(models, ['v3'], 'BTCUSDT', '1h')).toBe(101 * HOUR)
    expect(unseenFromMs(models, ['v3', 'v4'], 'BTCUSDT', '1h')).toBe(201 * HOUR)
  })
  it('is not known of a series that one of them was not trained on', () => {
    expect(unseenFromMs(models, ['v3'], 'ETHUSDT', '1h')).toBeNull()
    expect(unseenFromMs(models, ['v3', 'v9'], 'BTCUSDT', '1h')).toBeNull()
    expect(unseenFromMs(models, [], 'BTCUSDT', '1h')).toBeNull()
  })
  it('is the rest of a range, all of it, or none', () => {
    const range = { fromMs: 50 * HOUR, toMs: 150 * HOUR }
    expect(unseenPart(range, 100 * HOUR, '1h')).toEqual({
      range: { fromMs: 100 * HOUR, toMs: 150 * HOUR },
      candles: 50,
    })
    expect(unseenPart(range, 20 * HOUR, '1h')).toEqual({ range, candles: 100 })
    expect(unseenPart(range, 150 * HOUR, '1h')).toBeNull()
    expect(unseenPart(range, null, '1h')).toBeNull()
  })
})
