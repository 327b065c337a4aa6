import { expect, it } from 'vitest'
import type { ModelParts } from './model-parts.ts'
import { layVolatility, type ScaledForecast } from './raw-forecast.ts'

const parts = {
  horizons: 2,
  quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
  residualQuantiles: [
    [-2, -1, 0, 1, 2],
    [-2, -1, 0, 1, 2],
  ],
} as Partial<ModelParts> as ModelParts
/** Of candles 3 … 5 there is a window for 4 and 5. Both say twice as much of the second horizon. */
const scaled: ScaledForecast = {
  from: 3,
  to: 6,
  rows: Int32Array.of(4, 5),
  networks: {
    one: {
      quantiles: Float32Array.of(-3, -1, 0.5, 1, 3, -6, -2, 1, 2, 6, -3, -1, 0.25, 1, 3, -6, -2, 0.5, 2, 6),
      upLogit: Float32Array.of(0, Math.log(3)),
    },
    other: {
      quantiles: Float32Array.of(-1, -1, -0.5, 1, 1, -2, -2, -1, 2, 2, -1, -1, 0.75, 1, 1, -2, -2, 1.5, 2, 2),
      upLogit: Float32Array.of(0, 0),
    },
  },
  logistic: Float64Array.of(0.7, 0.375),
}
const sigma = [Float64Array.of(9, 9, 9, 9, 0.1, 0.2), Float64Array.of(9, 9, 9, 9, 0.3, 0.4)]

it('a raw forecast is scaled by the volatility of each candle, and is NaN for a candle without a window', () => {
  const { quantiles, pUp, medians } = layVolatility(parts, scaled, sigma)
  const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 6))
  // The medians of the next close: 0.5 × 0.1 and 0.25 × 0.2, −0.5 × 0.1 and 0.75 × 0.2.
  expect(Array.from(medians.one!)).toEqual([Number.NaN, ...close([0.05, 0.05])])
  expect(Array.from(medians.other!)).toEqual([Number.NaN, ...close([-0.05, 0.15])])
  expect(Array.from(pUp)).toEqual([Number.NaN, ...close([0.6, 0.5])])
  expect(quantiles.subarray(0, 10).every(Number.isNaN)).toBe(true)
  // Candle 4, two ahead: half the networks' mean of −4, −2, 0, 2, 4 and half of −2 … 2, times 0.3.
  expect(Array.from(quantiles.subarray(15, 20))).toEqual(close([-0.9, -0.45, 0, 0.45, 0.9]))
  // Candle 5, the next: half of −2, −1, 0.5, 1, 2 and half of −2 … 2, times 0.2.
  expect(Array.from(quantiles.subarray(20, 25))).toEqual(close([-0.4, -0.2, 0.05, 0.2, 0.4]))
})
