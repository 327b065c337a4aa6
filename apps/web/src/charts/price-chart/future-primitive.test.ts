import type { SeriesAttachedParameter, Time } from 'lightweight-charts'
import { describe, expect, it } from 'vitest'
import { FUTURE_LOOK, fanRange, fanShape, futureZone, monotoneSlopes } from './future-primitive.ts'
import type { PriceFan } from './price-input.ts'
import { priceModel } from './price-model.ts'

const step = (spread: number) => ({
  q05: 100 - 2 * spread,
  q25: 100 - spread,
  q50: 101,
  q75: 100 + spread,
  q95: 100 + 2 * spread,
})
const fan: PriceFan = { t: 0, price: 100, steps: [1, 2, 3, 4, 5, 6, 7, 8].map(step) }

describe('fan', () => {
  it('opens from the last close, one spot a step, six steps of eight', () => {
    const { outer, inner, median } = fanShape(
      fan,
      10,
      (index) => index * 8,
      (price) => 200 - price,
    )
    expect(outer.upper).toHaveLength(7)
    expect(outer.upper[0]).toEqual({ x: 80, y: 100 })
    expect(outer.upper[6]).toEqual({ x: 128, y: 88 })
    expect(outer.lower[6]).toEqual({ x: 128, y: 112 })
    expect(inner.upper[1]).toEqual({ x: 88, y: 99 })
    expect(median[3]).toEqual({ x: 104, y: 99 })
  })
  it('asks for room for its six steps and the close that it opens from', () => {
    expect(fanRange(fan)).toEqual({ min: 88, max: 112 })
    expect(fanRange({ ...fan, price: 80 })).toEqual({ min: 80, max: 112 })
    expect(fanRange({ ...fan, steps: [] })).toBeNull()
  })
})

describe('smooth edges', () => {
  it('follow a straight line exactly', () =>
    expect(monotoneSlopes([0, 1, 2].map((x) => ({ x, y: 3 * x })))).toEqual([3, 3, 3]))
  it('are level at a turning point, so that they do not overshoot it', () =>
    expect(
      monotoneSlopes([
        { x: 0, y: 0 },
        { x: 1, y: 5 },
        { x: 2, y: 4 },
      ]),
    ).toEqual([5, 0, -1]))
  it('take the harmonic mean of two slopes of one sign: of 1 and 3 it is 1.5', () =>
    expect(
      monotoneSlopes([
        { x: 0, y: 0 },
        { x: 1, y: 1 },
        { x: 2, y: 4 },
      ])[1],
    ).toBe(1.5))
})

it('shades the time to come from the last candle on, behind a dashed line there, and names it', () => {
  const model = priceModel(
    [0, 1, 2].map((t) => [t, 1, 1, 1, 1, 1]),
    1,
  )
  const future = futureZone(
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
  for (const view of future.paneViews()) view.renderer().draw(target as never)
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
