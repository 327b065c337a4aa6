import { candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import type { Predictions } from '../forecast/predictions.ts'
import { dieboldMariano, varianceOfMean } from './diebold-mariano.ts'
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
  it('is the mean square of the projections on its slowest waves: 1, 1, −1, −1', () => {
    // ⌊0.4 · 4^⅔⌋ = 1 cosine, (j = 1): c = cos π/8, s = cos 3π/8. √(2/4) (c + s + s + c) squared, over 4.
    const wave = Math.cos(Math.PI / 8) + Math.cos((3 * Math.PI) / 8)
    const { variance, degrees } = varianceOfMean([1, 1, -1, -1])
    expect(degrees).toBe(1)
    expect(variance).toBeCloseTo((2 * wave ** 2) / 4, 12)
    // What turns from value to value cancels out of a mean: its slow waves are small.
    expect(varianceOfMean([1, -1, 1, -1]).variance).toBeLessThan(variance / 4)
  })

  it('looks at the level of nothing, and at 4, 21 and 116 waves of 40, 400 and 5,000 values', () => {
    const degrees = (n: number) => varianceOfMean(new Float64Array(n).fill(3))
    expect([40, 400, 5000].map((n) => degrees(n).degrees)).toEqual([4, 21, 116])
    expect(degrees(400).variance).toBeCloseTo(0, 20)
  })

  it('sees the waves that it is made of, and none beyond', () => {
    // Two waves of 30 values: cosines j = 1 and 2 are orthogonal, so that a cosine of unit size projects to √(n/2).
    const wave = (j: number) => Float64Array.from({ length: 30 }, (_, t) => Math.cos((Math.PI * j * (t + 0.5)) / 30))
    // ⌊0.4 · 30^⅔⌋ = 3: a wave among them counts (2/n) (n/2)² / 3 / n = 1/6; one beyond, nothing.
    for (const j of [1, 2, 3]) expect(varianceOfMean(wave(j)).variance).toBeCloseTo(1 / 6, 12)
    for (const j of [4, 9]) expect(varianceOfMean(wave(j)).variance).toBeCloseTo(0, 12)
  })
})

describe('the paired test of Diebold and Mariano', () => {
  it('is what it comes to by hand for 4 outcomes', () => {
    // Differences 3, 3, 1, 1: mean 2. The one cosine as above, over the deviations 1, 1, −1, −1: variance w² / 2.
    const found = dieboldMariano([4, 4, 3, 4], [1, 1, 2, 3])
    const error = (Math.cos(Math.PI / 8) + Math.cos((3 * Math.PI) / 8)) / Math.SQRT2
    expect(found.meanDifference).toBe(2)
    expect(found.statistic).toBeCloseTo(2 / error, 12)
    // One degree is Cauchy's: P(|t| > x) = 1 − 2/π arctan x, and 12.7062 at 5 %.
    expect(found.pValue).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(2 / error), 12)
    expect(found.interval[0]).toBeCloseTo(2 - 12.7062 * error, 3)
    expect(found.interval[1]).toBeCloseTo(2 + 12.7062 * error, 3)
  })

  it('finds no difference between equal losses, and the opposite one the other way round', () => {
    expect(dieboldMariano([1, 2, 3], [1, 2, 3])).toMatchObject({ statistic: 0, pValue: 1 })
    const [a, b] = [
      [1, 5, 2, 6, 1],
      [2, 2, 2, 1, 2],
    ] as const
    const [there, back] = [dieboldMariano(a, b), dieboldMariano(b, a)]
    expect(back.statistic).toBeCloseTo(-there.statistic, 12)
    expect(back.pValue).toBeCloseTo(there.pValue, 12)
  })

  it('errs in 5 % of cases or little more where horizons overlap and neither is better', () => {
    // Losses 8 candles ahead share 7 of 8 moves. Bartlett's weights up to the horizon reject in 9 to 12 %.
    const random = createRandom(8)
    const rejected = (length: number, horizon: number): number => {
      let count = 0
      for (let trial = 0; trial < 400; trial++) {
        const moves = Float64Array.from({ length: length + horizon }, () => random.normal())
        const losses = Float64Array.from({ length }, (_, t) =>
          moves.subarray(t, t + horizon).reduce((sum, move) => sum + move, 0),
        )
        if (dieboldMariano(losses, new Float64Array(length)).pValue < 0.05) count++
      }
      return count / 400
    }
    // Three standard errors of a share of 5 % over 400 trials are 3.3 points.
    for (const [length, horizon] of [
      [400, 8],
      [120, 4],
    ] as const) {
      const share = rejected(length, horizon)
      expect(share).toBeGreaterThan(0.017)
      expect(share).toBeLessThan(0.083)
    }
  })

  it('refuses losses of other outcomes', () => {
    expect(() => dieboldMariano([1], [1, 2])).toThrow('not of the same outcomes')
  })
})

const made = (pUp: number[], low: number, high: number, from = 0): Predictions =>
  ({
    from,
    to: from + pUp.length,
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

  it('knows a model that forecast later candles, a fall, and a fan of two candles ahead', () => {
    // Closes 100, 100, 110, 99; candles 1 and 2 are forecast: candle 1 rose to 110, candle 2 fell to 99.
    const candles = candlesFromRows([row(0, 100), row(1, 100), row(2, 110), row(3, 99)])
    const one = made([0.7, 0.6], 90, 105, 1)
    const wide = { ...one, horizons: 2, quantilePrices: Float64Array.of(90, 105, 98, 110, 90, 105, 90, 105) }
    const { rows, returns, labels, models } = judgeTogether(candles, hour, [one, wide], 1)
    expect([...rows]).toEqual([1, 2])
    expect([...labels]).toEqual([1, 0])
    expect(returns[1]).toBeCloseTo(Math.log(0.9), 12)
    expect([...models[0]!.pUp]).toEqual([0.7, 0.6])
    expect([...models[0]!.signal]).toEqual([1, 1])
    expect([...models[0]!.confidence]).toEqual([0.7, 0.6])
    expect(models[0]!.brier[1]).toBeCloseTo(0.36, 12)
    // One candle ahead 110 lies above 105, and 99 within 90 … 105; two ahead 99 of candle 1 lies within 98 … 110.
    expect(models[1]!.fan).toEqual([
      { outcomes: 2, covered: 1 },
      { outcomes: 1, covered: 1 },
    ])
  })

  it('leaves out what one of them could not forecast', () => {
    const candles = candlesFromRows([row(0, 100), row(1, 110), row(2, 120)])
    const { rows } = judgeTogether(candles, hour, [made([0.6, 0.6], 90, 130), made([Number.NaN, 0.6], 90, 130)], 1)
    expect([...rows]).toEqual([1])
  })
})
