import { describe, expect, it } from 'vitest'
import { forecastSegments } from './forecast-segments.ts'

const view = (spacingPx: number, to: number) => ({
  from: 0,
  to,
  spacingPx,
  x: (index: number) => index * spacingPx,
  y: (price: number) => 100 - price,
})

describe('forecasts on a chart', () => {
  it('start at the close where they were made and end at the close that they expect', () =>
    expect(forecastSegments(Float64Array.of(Number.NaN, 12, 11, 14), Float64Array.of(10, 11, 13), view(10, 2))).toEqual(
      [
        { from: { x: 0, y: 90 }, to: { x: 10, y: 88 } },
        { from: { x: 10, y: 89 }, to: { x: 20, y: 89 } },
        { from: { x: 20, y: 87 }, to: { x: 30, y: 86 } },
      ],
    ))
  it('are 8 px long at least and thinned where candles are narrower than 6 px', () => {
    const closes = new Float64Array(12).fill(10)
    const forecasts = new Float64Array(12).fill(11)
    expect(forecastSegments(forecasts, closes, view(2, 11)).map(({ from, to }) => [from.x, to.x])).toEqual([
      [6, 14],
      [14, 22],
    ])
  })
  it('are left out where none was made, and none starts after the last close', () =>
    expect(
      forecastSegments(Float64Array.of(1, Number.NaN, Number.NaN, 5), Float64Array.of(10, 11), view(10, 1)),
    ).toEqual([]))
})
