import type { SeriesAttachedParameter, Time } from 'lightweight-charts'
import { expect, it } from 'vitest'
import type { DrawTarget } from '../primitives/draw-target.ts'
import { FUTURE_LOOK, FuturePrimitive } from './future-primitive.ts'
import { priceModel } from './price-model.ts'

it('shades the time to come from the last candle on, behind a dashed line there, and names it', () => {
  const model = priceModel(
    [0, 1, 2].map((t) => [t, 1, 1, 1, 1, 1]),
    1,
  )
  const future = new FuturePrimitive(
    () => ({
      model,
      lines: [],
      predictions: null,
      fan: null,
      type: 'candles',
      futureLabel: 'Next 6 h',
    }),
    FUTURE_LOOK,
  )
  const timeScale = { getVisibleLogicalRange: () => ({ from: 0, to: 9 }), logicalToCoordinate: (i: number) => 10 * i }
  const attached = { chart: { timeScale: () => timeScale }, series: { priceToCoordinate: (price: number) => price } }
  future.attached(attached as unknown as SeriesAttachedParameter<Time>)
  const drawn: unknown[][] = []
  const context = new Proxy({} as Record<string, unknown>, {
    get: (_, name) =>
      name === 'measureText' ? () => ({ width: 40 }) : (...args: unknown[]) => drawn.push([name, ...args]),
    set: () => true,
  })
  const target = {
    useBitmapCoordinateSpace: (draw: (scope: object) => void) =>
      draw({ horizontalPixelRatio: 1, verticalPixelRatio: 1 }),
    useMediaCoordinateSpace: (draw: (scope: object) => void) =>
      draw({ context, mediaSize: { width: 100, height: 50 } }),
  }
  for (const view of future.paneViews()) view.renderer()?.draw(target as unknown as DrawTarget)
  expect(drawn).toEqual(
    expect.arrayContaining([
      ['fillRect', 20, 0, 80, 50],
      ['setLineDash', [4, 4]],
      ['moveTo', 20.5, 0],
      ['lineTo', 20.5, 50],
      ['fillText', 'Next 6 h', 28, 44],
    ]),
  )
})
