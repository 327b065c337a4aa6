import { expect, it } from 'vitest'
import { colors } from '#kit/theme/tokens.ts'
import type { SignalMark } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'
import { drawSignals, groundOf, holeOf, SIGNAL_COLORS } from './signal-marks-primitive.ts'

// Sides 6, 8 and 10: its inscribed circle has the radius 2 and stands at (2, 2).
const corners = [
  { x: 0, y: 0 },
  { x: 6, y: 0 },
  { x: 0, y: 8 },
] as const
const rounded = (spots: readonly { x: number; y: number }[]) =>
  spots.map(({ x, y }) => [Number(x.toFixed(9)) + 0, Number(y.toFixed(9)) + 0])

it('the ground of a mark lies 2 px off each edge, with its tips cut', () =>
  expect(rounded(groundOf(corners, 2))).toEqual([
    [0, -2],
    [6, -2],
    [7.6, 1.2],
    [1.6, 9.2],
    [-2, 8],
    [-2, 0],
  ]))

it('the hole leaves an edge of 1 px: half the size, around the middle of the inscribed circle', () =>
  expect(rounded(holeOf(corners, 1))).toEqual([
    [1, 1],
    [4, 1],
    [1, 5],
  ]))

it('an edge wider than the triangle leaves no hole', () =>
  expect(rounded(holeOf(corners, 3))).toEqual([
    [2, 2],
    [2, 2],
    [2, 2],
  ]))

/** Every fill of a frame: its colour and where its shapes begin. Candles reach from 40 to 60 px, 20 px apart. */
function fills(signals: readonly SignalMark[]) {
  const made: { color: string; at: (readonly [number, number])[] }[] = []
  let at: (readonly [number, number])[] = []
  const context = {
    fillStyle: '',
    beginPath: () => {
      at = []
    },
    moveTo: (x: number, y: number) => at.push([x, y]),
    lineTo: () => undefined,
    closePath: () => undefined,
    fill: () => made.push({ color: context.fillStyle, at }),
  }
  const model = { high: new Float64Array(9).fill(40), low: new Float64Array(9).fill(60) } as PriceScene['model']
  const axes = { x: (index: number) => index * 20, y: (price: number) => price }
  drawSignals(context as unknown as CanvasRenderingContext2D, signals, { model, type: 'candles' }, axes, SIGNAL_COLORS)
  return made
}

it('fills all marks of a kind at once: BUY 10 px below the low with its tip up, SELL above the high with its tip down', () => {
  const made = fills([
    { kind: 'BUY', index: 1, weight: 0.6, origin: 'live' },
    { kind: 'SELL', index: 2, weight: 0.6, origin: 'live' },
    { kind: 'BUY', index: 5, weight: 0.6, origin: 'live' },
  ])
  expect(made.map(({ color }) => color)).toEqual([colors.surface, colors.up, colors.surface, colors.down])
  expect(made[1]?.at).toEqual([
    [20, 66],
    [100, 66],
  ])
  expect(made[3]?.at).toEqual([[40, 34]])
})

it('leaves a hole only in marks that were worked out afterwards', () => {
  const made = fills([
    { kind: 'SELL', index: 1, weight: 0.6, origin: 'live' },
    { kind: 'SELL', index: 3, weight: 0.6, origin: 'backfilled' },
    { kind: 'SELL', index: 6, weight: 0.6, origin: 'trained_on' },
  ])
  expect(made.map(({ color, at }) => [color, at.length])).toEqual([
    [colors.surface, 3],
    [colors.down, 3],
    [colors.surface, 2],
  ])
})
