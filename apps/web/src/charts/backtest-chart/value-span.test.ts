import { expect, it } from 'vitest'
import { spanOfPoints } from './value-span.ts'

const times = [0, 10, 20, 30]
const points = [
  { t: 0, value: 5 },
  { t: 10, value: 9 },
  { t: 20, value: 1 },
  { t: 30, value: 7 },
]

it('is taken over the candles in sight only', () => {
  expect(spanOfPoints(points, times)(0, 1)).toEqual({ min: 5, max: 9 })
  expect(spanOfPoints(points, times)(0.4, 3.2)).toEqual({ min: 1, max: 9 })
})

it('is nothing where no candle is in sight', () => {
  expect(spanOfPoints(points, times)(4, 9)).toBeNull()
  expect(spanOfPoints([], times)(0, 3)).toBeNull()
})
