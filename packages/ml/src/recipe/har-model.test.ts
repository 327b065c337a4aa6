import { describe, expect, it } from 'vitest'
import { fitHar, fitRidge, forecastSigma, MEAN_ABS_NORMAL } from './har-model.ts'

describe('fitRidge', () => {
  it('shrinks the slope of y = 3z from 3 to 3 × 4 / (4 + 4) with α = 4 over four points', () => {
    // z is already standardised: mean 0, population deviation 1, Σ z² = 4.
    const z = Float64Array.of(-1, 1, -1, 1)
    const { fits } = fitRidge([z], Int32Array.of(0, 1, 2, 3), [Float64Array.of(7, 13, 7, 13)], 4)
    expect(fits[0]!.weights[0]).toBeCloseTo(1.5, 12)
    expect(fits[0]!.intercept).toBe(10)
  })

  it('splits one slope between two equal columns', () => {
    const z = Float64Array.of(-1, 1, -1, 1)
    const { fits } = fitRidge([z, z], Int32Array.of(0, 1, 2, 3), [Float64Array.of(-1, 1, -1, 1)], 2)
    // (8 + 2) w = 4 for each of w = w₁ = w₂
    expect(fits[0]!.weights).toEqual([0.4, 0.4].map((v) => expect.closeTo(v, 12)))
  })

  it('looks at the given rows only', () => {
    const x = Float64Array.of(0, 1, 2, 3, 1e9)
    const y = Float64Array.of(0, 1, 2, 3, -1e9)
    const { fits, standardisation } = fitRidge([x], Int32Array.of(0, 1, 2, 3), [y], 0)
    expect(standardisation.mean[0]).toBe(1.5)
    expect(fits[0]!.weights[0]! / standardisation.sd[0]!).toBeCloseTo(1, 12)
  })
})

describe('fitHar and forecastSigma', () => {
  it('scale the forecast so that mean |r| / σ is that of a standard normal', () => {
    const input = Float64Array.of(-1, 1, -1, 1)
    const returns = Float64Array.of(0.01, -0.04, -0.01, 0.04)
    const moves = returns.map((r) => Math.log(Math.abs(r)))
    const har = fitHar([input], Int32Array.of(0, 1, 2, 3), [moves], [returns], 0)
    const [sigma] = forecastSigma(har, [input])
    // The logs fit exactly, so |r| / exp(forecast) is 1 everywhere and σ = |r| / √(2/π).
    expect(sigma![0]).toBeCloseTo(0.01 / MEAN_ABS_NORMAL, 12)
    expect(sigma![1]).toBeCloseTo(0.04 / MEAN_ABS_NORMAL, 12)
    expect(MEAN_ABS_NORMAL).toBeCloseTo(0.7978845608, 10)
  })

  it('forecast each horizon by its own weights over inputs as they were standardised, times √h', () => {
    // Inputs 1 and 3 (mean 2, deviation 1). Two candles ahead mean moves of 0.01 and 0.04, returns of √2 times as much.
    const input = Float64Array.of(1, 3, 1, 3)
    const rows = Int32Array.of(0, 1, 2, 3)
    const sizes = Float64Array.of(0.01, 0.04, 0.01, 0.04)
    const near = sizes.map(() => 0.02)
    const har = fitHar(
      [input],
      rows,
      [near, sizes].map((column) => column.map(Math.log)),
      [near, sizes.map((size, i) => (i % 2 === 0 ? 1 : -1) * Math.SQRT2 * size)],
      0,
    )
    const [one, two] = forecastSigma(har, [Float64Array.of(1, 3, 5)])
    expect(Array.from(one!)).toEqual(new Array(3).fill(expect.closeTo(0.02 / MEAN_ABS_NORMAL, 12)))
    // Each step of 2 in the input is a factor of 4.
    expect(Array.from(two!)).toEqual(
      [0.01, 0.04, 0.16].map((size) => expect.closeTo((Math.SQRT2 * size) / MEAN_ABS_NORMAL, 12)),
    )
  })

  it('has no scale where nothing moved', () => {
    const still = new Float64Array(2)
    const har = fitHar([Float64Array.of(0, 1)], Int32Array.of(0, 1), [Float64Array.of(-9, -9)], [still], 1)
    expect(har.horizons[0]!.scale).toBe(1)
  })
})
