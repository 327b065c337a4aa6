import type { Model } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { unseenFromMs, unseenPart } from './unseen-range.ts'

const HOUR = 3_600_000
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
