import { expect, it } from 'vitest'
import { entrySpot, trianglePoints } from './markers.ts'

it('a triangle of 8 px that points up has its tip 4 px above its middle', () => {
  expect(trianglePoints({ x: 10, y: 20 }, 8, true)).toEqual([
    { x: 10, y: 16 },
    { x: 14, y: 24 },
    { x: 6, y: 24 },
  ])
})

it('pointing down turns it over', () => {
  expect(trianglePoints({ x: 10, y: 20 }, 8, false)[0]).toEqual({ x: 10, y: 24 })
})

it('a long stands below the low and a short above the high, screen pixels growing downwards', () => {
  expect(entrySpot(5, 100, 120, true, 9)).toEqual({ x: 5, y: 129 })
  expect(entrySpot(5, 100, 120, false, 9)).toEqual({ x: 5, y: 91 })
})
