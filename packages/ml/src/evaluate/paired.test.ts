import { candlesFromRows } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import type { Predictions } from '../forecast/predictions.ts'
import { dieboldMariano, lagOf, varianceOfMean } from './diebold-mariano.ts'
import { judgeTogether } from './judge-together.ts'
import { twoSidedP, twoSidedQuantile } from './student-t.ts'

describe("Student's t", () => {
  it('has the probabilities of the printed tables', () => {
    // One degree is Cauchy's: P(|t| > 1) = ½. With two: 1 − t/√(2 + t²) = 1 − 2/√6 at t = 2.
    expect(twoSidedP(1, 1)).toBeCloseTo(0.5, 12)
    expect(twoSidedP(2, 2)).toBeCloseTo(1 - 2 / Math.sqrt(6), 12)
    expect(twoSidedP(2.228139, 10)).toBeCloseTo(0.05, 6)
    expect(twoSidedP(0, 7)).toBe(1)
    expect(twoSidedQuantile(0.05, 10)).toBeCloseTo(2.228139, 5)
    expect(twoSidedQuantile(0.05, 1e7)).toBeCloseTo(1.959964, 5)
  })
})

describe('the variance of a mean of losses that hang together', () => {
  it('weighs the covariances with Bartlett: 1, −1, 1, −1 with lag 1', () => {
    // γ0 = 1, γ1 = −3/4; 1 + 2 · ½ · (−3/4) = ¼, over 4 outcomes.
    expect(varianceOfMean([1, -1, 1, -1], 0)).toBeCloseTo(1 / 4, 12)
    expect(varianceOfMean([1, -1, 1, -1], 1)).toBeCloseTo(1 / 16, 12)
  })

  it('takes as many lags as overlapping horizons share, or as the rule of thumb says', () => {
    expect(lagOf(100, 1)).toBe(4)
    expect(lagOf(400, 1)).toBe(5)
    expect(lagOf(100, 8)).toBe(7)
    expect(lagOf(3, 8)).toBe(2)
  })
})

describe('the paired test of Diebold and Mariano', () => {
  it('is what it comes to by hand for 4 outcomes', () => {
    // Differences 1, 3, 1, 3: mean 2. Lag ⌊4 · 0.04^(2/9)⌋ = 1: (γ0 + γ1) / 4 = (1 − 3/4) / 4 = 1/16.
    // Correction for h = 1: (4 + 1 − 2) / 4 = 3/4. Statistic 2 / √(1/16 · 4/3).
    const found = dieboldMariano([2, 4, 3, 5], [1, 1, 2, 2], 1)
    expect(found.meanDifference).toBe(2)
    expect(lagOf(4, 1)).toBe(1)
    expect(found.statistic).toBeCloseTo(2 / Math.sqrt(4 / 3 / 16), 12)
    expect(found.pValue).toBeCloseTo(twoSidedP(found.statistic, 3), 12)
    expect(found.interval[0]).toBeCloseTo(2 - 3.182446 * Math.sqrt(1 / 12), 5)
  })

  it('finds no difference between equal losses, and the opposite one the other way round', () => {
    expect(dieboldMariano([1, 2, 3], [1, 2, 3], 1)).toMatchObject({ statistic: 0, pValue: 1 })
    const [a, b] = [
      [1, 5, 2, 6, 1],
      [2, 2, 2, 1, 2],
    ] as const
    const [there, back] = [dieboldMariano(a, b, 1), dieboldMariano(b, a, 1)]
    expect(back.statistic).toBeCloseTo(-there.statistic, 12)
    expect(back.pValue).toBeCloseTo(there.pValue, 12)
  })

  it('refuses losses of other outcomes', () => {
    expect(() => dieboldMariano([1], [1, 2], 1)).toThrow('not of the same outcomes')
  })
})

const made = (pUp: number[], low: number, high: number): Predictions =>
  ({
    from: 0,
    to: pUp.length,
    pUp: Float64Array.from(pUp),
    signal: Int8Array.from(pUp, (p) => (p > 0.5 ? 1 : -1)),
    confidence: Float64Array.from(pUp, (p) => Math.max(p, 1 - p)),
    quantilePrices: Float64Array.from(pUp.flatMap(() => [low, high])),
    horizons: 1,
    quantiles: [0.05, 0.95],
  }) as unknown as Predictions

describe('models judged by the same outcomes', () => {
  const hour = 3_600_000
  const row = (k: number, close: number) => [k * hour, close, close, close, close, 1]

  it('counts only candles that all of them forecast and whose outcome no hole precedes', () => {
    // Closes 100, 110, (hole) 99, 99: candle 0 rose, candle 1 is followed by a hole, candle 2 stayed.
    const candles = candlesFromRows([row(0, 100), row(1, 110), row(3, 99), row(4, 99)])
    const { rows, labels, models } = judgeTogether(
      candles,
      hour,
      [made([0.8, 0.6, 0.6, 0.5], 95, 105), made([0.4, 0.5, 0.5, 0.5], 90, 120)],
      1,
    )
    expect([...rows]).toEqual([0, 2])
    expect([...labels]).toEqual([1, 0.5])
    expect(models[0]!.logLoss[0]).toBeCloseTo(-Math.log(0.8), 12)
    expect(models[0]!.logLoss[1]).toBeCloseTo(-(Math.log(0.6) + Math.log(0.4)) / 2, 12)
    expect(models[0]!.brier[0]).toBeCloseTo(0.04, 12)
    // Candle 0: ln 1.1 lies above ln 1.05 and within ln 0.9 … ln 1.2. Candle 2: 0 lies within neither 95 … 105 of 99.
    expect(models[0]!.fan).toEqual([{ outcomes: 2, covered: 1 }])
    expect(models[1]!.fan).toEqual([{ outcomes: 2, covered: 2 }])
    const [y, low, high] = [Math.log(1.1), Math.log(0.95), Math.log(1.05)]
    expect(models[0]!.pinballBps[0]).toBeCloseTo((1e4 * (0.05 * (y - low) + 0.95 * (y - high))) / 2, 9)
  })

  it('leaves out what one of them could not forecast', () => {
    const candles = candlesFromRows([row(0, 100), row(1, 110), row(2, 120)])
    const { rows } = judgeTogether(candles, hour, [made([0.6, 0.6], 90, 130), made([Number.NaN, 0.6], 90, 130)], 1)
    expect([...rows]).toEqual([1])
  })
})
