import type { CandleRow } from '@shapecast/contracts/market'
import { describe, expect, it } from 'vitest'
import type { PricePrediction } from './price-input.ts'
import { indexOfTime, predictionColumns, priceModel } from './price-model.ts'

const rows = Array.from({ length: 60 }, (_, i): CandleRow => [1000 + 10 * i, 1, 2, 0.5, 100 + i, 5])
const model = priceModel(rows, 10)
const said = (t: number, more: Partial<PricePrediction> = {}): PricePrediction => ({
  t,
  signal: 'HOLD',
  confidence: 0.5,
  origin: 'backfilled',
  lstm: null,
  transformer: null,
  ...more,
})

describe('the candle of a time', () => {
  it('is the one that is open then', () => {
    expect(indexOfTime(model, 1000)).toBe(0)
    expect(indexOfTime(model, 1019)).toBe(1)
  })
  it('may lie up to 6 candles ahead', () => {
    expect(indexOfTime(model, 1590 + 60)).toBe(65)
    expect(indexOfTime(model, 1590 + 70)).toBe(-1)
  })
  it('is none before the first candle and in a gap', () => {
    expect(indexOfTime(model, 999)).toBe(-1)
    expect(indexOfTime({ times: Float64Array.of(0, 10, 50), count: 3, stepMs: 10 }, 30)).toBe(-1)
  })
})

describe('predictions on candles', () => {
  it('give lines with holes and marks for BUY and SELL only', () => {
    const { lstm, transformer, signals } = predictionColumns(model, [
      said(1020, { signal: 'SELL', confidence: 0.7 }),
      said(1000, { signal: 'BUY', confidence: 0.6, origin: 'live', lstm: 7, transformer: 8 }),
      said(1010),
      said(1600, { lstm: 9 }),
    ])
    expect([lstm[0], lstm[1], lstm[60], transformer[0]]).toEqual([7, Number.NaN, 9, 8])
    expect(signals).toEqual([
      { kind: 'BUY', index: 0, weight: 0.6, origin: 'live' },
      { kind: 'SELL', index: 2, weight: 0.7, origin: 'backfilled' },
    ])
  })
  it('have a mean error over closed candles whose outcome the model had not learnt from', () => {
    const close = model.close[0]!
    const off = (t: number, by: number, origin: 'live' | 'backfilled' | 'trained_on') =>
      said(t, { lstm: model.close[(t - 1000) / 10]! * (1 + by), origin })
    expect(close).toBeGreaterThan(0)
    expect(
      predictionColumns(model, [
        off(1000, 0.01, 'live'),
        off(1010, -0.03, 'backfilled'),
        off(1020, 0.5, 'trained_on'),
        off(1590, 0.5, 'live'),
      ]).meanError,
    ).toBeCloseTo(0.02, 9)
    expect(predictionColumns(model, [said(1000, { lstm: null })]).meanError).toBeNull()
  })
  it('keep the later one of the same candle', () => {
    const { signals } = predictionColumns(model, [said(1000, { signal: 'BUY' }), said(1000, { signal: 'HOLD' })])
    expect(signals).toEqual([])
  })
})
