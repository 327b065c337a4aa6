import { expect, it } from 'vitest'
import { bodyWidthPx, candlesPerColumn, groupStart } from './candle-groups.ts'

it('draws every candle by itself from 1 px on, and 8 together at an eighth', () =>
  expect([8, 1, 0.5, 0.13].map(candlesPerColumn)).toEqual([1, 1, 2, 8]))
it('counts groups from the first candle', () =>
  expect([0, 7, 8, 23].map((i) => groupStart(i, 8))).toEqual([0, 0, 8, 16]))
it('a candle is never wider than 12 px nor narrower than 1', () =>
  expect([0.4, 2, 25, 40].map(bodyWidthPx)).toEqual([1, 1.5, 12, 12]))
