import { expect, it, vi } from 'vitest'
import { LSTM_DASH } from '../chart-look.ts'
import type { DrawTarget } from './draw-target.ts'
import { ForecastSegmentsPrimitive } from './forecast-segments-primitive.ts'

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
  const primitive = new ForecastSegmentsPrimitive(() => said, { color: '#6FB7FF', dash: LSTM_DASH })
  const timeScale = { getVisibleLogicalRange: () => ({ from: 0, to: 2 }), logicalToCoordinate: (i: number) => i * 10 }
  primitive.attached({
    chart: { timeScale: () => timeScale },
    series: { priceToCoordinate: (p: number) => -p },
  } as never)
  const target = { useMediaCoordinateSpace: (draw: (scope: object) => void) => draw({ context }) }
  primitive
    .paneViews()[0]
    ?.renderer()
    ?.draw(target as unknown as DrawTarget)
  expect(context.setLineDash.mock.calls).toEqual([[[5, 3]], [[]]])
  expect(context.strokeStyle).toBe('#6FB7FF')
  expect(context.lineTo).toHaveBeenCalled()
})
