import { expect, it } from 'vitest'
import { nearestLine } from './line-hit.ts'

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
