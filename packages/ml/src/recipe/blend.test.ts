import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blendQuantiles, blendUp, rearrange } from './blend-forecasts.ts'
import { empiricalQuantiles } from './empirical-quantiles.ts'

describe('empiricalQuantiles', () => {
  it('interpolates between order statistics and skips what is unknown', () => {
    expect(empiricalQuantiles([Number.NaN], [0.05, 0.95])).toEqual([Number.NaN, Number.NaN])
    expect(empiricalQuantiles([4, Number.NaN, 1, 3, 2], [0, 0.5, 0.9, 1])).toEqual([1, 2.5, expect.closeTo(3.7, 12), 4])
  })
})

describe('blendQuantiles', () => {
  it('takes half the mean of the networks and half the volatility model, times the scale', () => {
    const blended = blendQuantiles(
      [Float32Array.of(-2, 0, 2), Float32Array.of(-1, 0, 3)],
      [[-1.5, 0.5, 1.5]],
      [Float64Array.of(9, 0.1)],
      1,
      1,
    )
    // 0.1 × ½ × (−1.5 − 1.5), 0.1 × ½ × (0 + 0.5), 0.1 × ½ × (2.5 + 1.5)
    expect(Array.from(blended)).toEqual([-0.15, 0.025, 0.2].map((v) => expect.closeTo(v, 12)))
  })

  it('keeps rows and horizons apart, each with the scale of its candle', () => {
    // Rows of candles 1 and 2, two horizons, three quantiles; networks say 1, 2, 3 times their cell, the residual nothing.
    const network = Float32Array.from({ length: 12 }, (_, k) => (Math.floor(k / 3) + 1) * ((k % 3) + 1))
    const none = [0, 0, 0]
    const sigma = [Float64Array.of(9, 2, 4), Float64Array.of(9, 20, 40)]
    const blended = blendQuantiles([network], [none, none], sigma, 1, 2)
    expect(Array.from(blended)).toEqual([1, 2, 3, 20, 40, 60, 6, 12, 18, 80, 160, 240])
  })

  it('gives rising quantiles whatever the networks say', () => {
    const five = fc.array(fc.float({ min: -10, max: 10, noNaN: true }), { minLength: 10, maxLength: 10 })
    fc.assert(
      fc.property(five, five, fc.double({ min: 1e-6, max: 1, noNaN: true }), (a, b, scale) => {
        const residual = [-2, -1, 0, 1, 2]
        const fan = blendQuantiles(
          [Float32Array.from(a), Float32Array.from(b)],
          [residual, residual],
          [Float64Array.of(scale), Float64Array.of(scale)],
          0,
          1,
        )
        for (let h = 0; h < 2; h++)
          for (let q = 1; q < 5; q++) expect(fan[h * 5 + q]!).toBeGreaterThanOrEqual(fan[h * 5 + q - 1]!)
      }),
    )
  })

  it('rearranges one horizon without touching its neighbours', () => {
    const values = Float64Array.of(9, 3, 1, 2, 0)
    rearrange(values, 1, 3)
    expect(Array.from(values)).toEqual([9, 1, 2, 3, 0])
  })
})

describe('blendUp', () => {
  it('is the mean of the networks’ mean and the logistic regression: ½ (½ (0.5 + 0.75) + 0.6)', () => {
    const p = blendUp([Float32Array.of(0), Float32Array.of(Math.log(3))], Float64Array.of(0.6))
    expect(p[0]).toBeCloseTo(0.6125, 6)
  })
})
