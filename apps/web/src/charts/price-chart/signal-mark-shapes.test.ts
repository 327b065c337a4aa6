import { expect, it } from 'vitest'
import { groundOf, holeOf } from './signal-mark-shapes.ts'

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
