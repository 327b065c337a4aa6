import type { CandleRow } from '@shapecast/contracts/market'
import { expect, it } from 'vitest'
import { indicatorLines } from '../indicator-lines.ts'
import { nearestLine, shownValues } from './hovered.ts'
import { predictionColumns, priceModel } from './price-model.ts'

const lines = {
  lstm: Float64Array.of(50, 60, Number.NaN),
  transformer: Float64Array.of(56, 80, 70),
  signals: [],
  meanError: null,
}
const at = (index: number, y: number) =>
  nearestLine(
    lines,
    index,
    { x: 0, y },
    (i) => i * 8,
    (price) => price,
  )

it('is the nearer of the two lines', () => {
  expect(at(0, 52)).toEqual({ name: 'LSTM', index: 0, price: 50, at: { x: 0, y: 50 } })
  expect(at(0, 54)?.name).toBe('Transformer')
})
it('is none more than 10 px away, nor where nothing is predicted', () => {
  expect(at(1, 70)?.name).toBe('LSTM')
  expect(at(1, 71)?.name).toBe('Transformer')
  expect(at(0, 67)).toBeNull()
  expect(at(2, 62)?.name).toBe('Transformer')
  expect(at(9, 60)).toBeNull()
  expect(nearestLine(null, 0, { x: 0, y: 50 }, Number, Number)).toBeNull()
})

const rows = Array.from({ length: 25 }, (_, i): CandleRow => [i * 10, 1, 2, 0.5, i, 5])
const model = priceModel(rows, 10)
const predictions = predictionColumns(model, [
  { t: 230, signal: 'BUY', confidence: 0.5, origin: 'live', lstm: 7, transformer: 8 },
  { t: 250, signal: 'HOLD', confidence: 0.5, origin: 'live', lstm: 9, transformer: null },
])
const scene = {
  model,
  lines: indicatorLines(model, ['ema'], null),
  predictions,
  fan: null,
  type: 'candles',
  futureLabel: '',
} as const

it('with no candle chosen: the last one, and each line where it ends', () =>
  expect(shownValues(scene, null)).toMatchObject({
    t: 240,
    close: 24,
    lines: [14.5, Number.NaN],
    lstm: 9,
    transformer: 8,
  }))
it('a chosen candle shows its own figures only', () => {
  expect(shownValues(scene, 23)).toMatchObject({
    t: 230,
    close: 23,
    lstm: 7,
    transformer: 8,
    signal: { kind: 'BUY', weight: 0.5, origin: 'live' },
  })
  expect(shownValues(scene, 10)).toMatchObject({ lines: [Number.NaN, Number.NaN], lstm: Number.NaN, signal: null })
})
it('there are none ahead of the last candle and of an empty chart', () => {
  expect(shownValues(scene, 25)).toBeNull()
  expect(shownValues({ ...scene, model: priceModel([], 10), lines: [] }, null)).toBeNull()
})
