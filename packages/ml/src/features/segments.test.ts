import { emptyCandles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { BLOCK_CANDLES, BLOCK_HISTORY, cutBlocks, findContinuity } from './segments.ts'
import { flooredVolatility, SMALLEST_SIGMA, stepReturns } from './volatility.ts'

const HOUR = 3_600_000
const atHours = (hours: readonly number[]) => {
  const candles = emptyCandles(hours.length)
  candles.ts.set(hours.map((hour) => hour * HOUR))
  return candles
}

describe('how candles lie in time', () => {
  it('counts holes and what is missing, and begins a segment after 25 missing candles, not after 24', () => {
    // One missing after 1, 24 after 3, 25 after 28.
    const found = findContinuity(atHours([0, 1, 3, 28, 54]), HOUR)
    expect(Array.from(found.steps)).toEqual([0, 1, 2, 25, 26])
    expect(Array.from(found.gapsUpTo)).toEqual([0, 0, 1, 2, 3])
    expect(Array.from(found.segmentStart)).toEqual([0, 0, 0, 0, 4])
    expect(found).toMatchObject({ gaps: 3, missingCandles: 1 + 24 + 25 })
  })

  it('is nothing without candles', () => {
    expect(findContinuity(atHours([]), HOUR)).toMatchObject({ gaps: 0, missingCandles: 0 })
  })

  it('cuts blocks at every 2,000th hour since 1970, each with 500 candles before it, and at long holes', () => {
    const hours = Array.from({ length: 4600 }, (_, i) => 3800 + i + (i >= 4500 ? 30 : 0))
    const candles = atHours(hours)
    const blocks = cutBlocks(candles, findContinuity(candles, HOUR), HOUR)
    // Hours 4,000, 6,000 and 8,000 are candles 200, 2,200 and 4,200; the hole is before candle 4,500.
    expect(blocks).toEqual([
      { start: 0, from: 0, to: 200 },
      { start: 0, from: 200, to: 2200 },
      { start: 2200 - BLOCK_HISTORY, from: 2200, to: 2200 + BLOCK_CANDLES },
      { start: 4200 - BLOCK_HISTORY, from: 4200, to: 4500 },
      { start: 4500, from: 4500, to: 4600 },
    ])
    expect([BLOCK_HISTORY, BLOCK_CANDLES]).toEqual([500, 2000])
  })
})

describe('returns and volatility', () => {
  it('divide a return over a hole of three candles by 2, and know none of the first candle', () => {
    const returns = stepReturns(Float64Array.of(100, 110, 99), Float64Array.of(0, 1, 4))
    expect(Array.from(returns)).toEqual([0, Math.log(1.1), Math.log(0.9) / 2].map((r) => expect.closeTo(r, 12)))
  })

  it('weigh squared returns by 0.97 a candle from the second candle on, and never fall to nothing', () => {
    const sigma = flooredVolatility(Float64Array.of(9, 0.02, 0.01), 0.97)
    // The first return is left out: √(0.02²), then √((0.97 · 0.02² + 0.01²) / 1.97).
    expect(sigma[0]).toBe(SMALLEST_SIGMA)
    expect(sigma[1]).toBeCloseTo(0.02, 12)
    expect(sigma[2]).toBeCloseTo(Math.sqrt((0.97 * 0.0004 + 0.0001) / 1.97), 12)
    expect(Array.from(flooredVolatility(new Float64Array(3), 0.97))).toEqual([1e-7, 1e-7, 1e-7])
  })
})
