import { expect, it } from 'vitest'
import { shadedBoxes } from './range-shade-primitive.ts'

const x = (index: number) => 5 + index * 10

it('covers whole candles and marks the edge where unseen candles follow', () => {
  expect(shadedBoxes([{ from: 0, to: 3 }], x, 5, 10, 100)).toEqual([
    { left: 0, right: 40, leftEdge: false, rightEdge: true },
  ])
})

it('a range in the middle has both edges', () => {
  expect(shadedBoxes([{ from: 2, to: 3 }], x, 5, 10, 100)).toEqual([
    { left: 20, right: 40, leftEdge: true, rightEdge: true },
  ])
})

it('all candles seen: no edge at all', () => {
  expect(shadedBoxes([{ from: 0, to: 9 }], x, 5, 10, 100)).toEqual([
    { left: 0, right: 100, leftEdge: false, rightEdge: false },
  ])
})

it('a range that is scrolled out of the screen has no box', () => {
  expect(shadedBoxes([{ from: 0, to: 3 }], (i) => x(i) - 200, 5, 100, 100)).toEqual([])
})
