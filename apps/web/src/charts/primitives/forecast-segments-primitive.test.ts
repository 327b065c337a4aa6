import { describe, expect, it, vi } from 'vitest'
import { LSTM_DASH } from '../chart-look.ts'
import { forecastLines, forecastSegments } from './forecast-segments-primitive.ts'

const view = (spacingPx: number, to: number) => ({
  from: 0,
  to,
  spacingPx,
  x: (index: number) => index * spacingPx,
  y: (price: number) => 100 - price,
})

describe('forecasts on a chart', () => {
  it('with 59 candles in view, start at the close where they were made and end at the close that they expect', () =>
    expect(forecastLines(Float64Array.of(Number.NaN, 12, 11, 14), Float64Array.of(10, 11, 13), view(10, 59))).toEqual([
      [
        { x: 0, y: 90 },
        { x: 10, y: 88 },
      ],
      [
        { x: 10, y: 89 },
        { x: 20, y: 89 },
      ],
      [
        { x: 20, y: 87 },
        { x: 30, y: 86 },
      ],
    ]))
  it('with 60 candles in view, are one line through what was expected of each candle, broken where nothing was', () =>
    expect(forecastLines(Float64Array.of(12, 11, Number.NaN, 14), Float64Array.of(10, 11, 13), view(10, 60))).toEqual([
      [
        { x: 0, y: 88 },
        { x: 10, y: 89 },
      ],
      [{ x: 30, y: 86 }],
    ]))
  it('are segments of 8 px at least', () => {
    const [segment] = forecastLines(Float64Array.of(Number.NaN, 11), Float64Array.of(10, 10), view(2, 20))
    expect(segment?.map(({ x }) => x)).toEqual([0, 8])
  })
  it('are left out where none was made, and none starts after the last close', () =>
    expect(forecastLines(Float64Array.of(1, Number.NaN, Number.NaN, 5), Float64Array.of(10, 11), view(10, 1))).toEqual(
      [],
    ))
})

it('draws the forecasts of the LSTM dashed, in the colour of a model', () => {
  const context = {
    strokeStyle: '',
    lineWidth: 0,
    setLineDash: vi.fn(),
    beginPath() {},
    moveTo() {},
    lineTo: vi.fn(),
    stroke() {},
  }
  const said = { forecasts: Float64Array.of(Number.NaN, 101, 102), closes: Float64Array.of(100, 101, 103) }
  const primitive = forecastSegments(() => said, { color: '#6FB7FF', dash: LSTM_DASH })
  const timeScale = { getVisibleLogicalRange: () => ({ from: 0, to: 2 }), logicalToCoordinate: (i: number) => i * 10 }
  primitive.attached({
    chart: { timeScale: () => timeScale },
    series: { priceToCoordinate: (p: number) => -p },
  } as never)
  const target = {
    useBitmapCoordinateSpace: (draw: (scope: object) => void) => draw({ horizontalPixelRatio: 1 }),
    useMediaCoordinateSpace: (draw: (scope: object) => void) => draw({ context, mediaSize: { width: 20, height: 20 } }),
  }
  primitive
    .paneViews()[0]!
    .renderer()
    .draw(target as never)
  expect(context.setLineDash.mock.calls).toEqual([[[5, 3]], [[]]])
  expect(context.strokeStyle).toBe('#6FB7FF')
  expect(context.lineTo).toHaveBeenCalled()
})
