import type { CandleRow } from '@shapecast/contracts/market'
import { expect, it } from 'vitest'
import { rowChange } from './chart-view.ts'

const rows = Array.from({ length: 8 }, (_, i): CandleRow => [i, 1, 2, 0, 1, 1])
const changed = (index: number) => rows.map((row, i): CandleRow => (i === index ? [i, 1, 2, 0, 9, 1] : row))

it('sees that nothing has changed, by identity or candle by candle', () => {
  expect(rowChange(rows, rows)).toEqual({ kind: 'none' })
  expect(rowChange(rows, [...rows])).toEqual({ kind: 'none' })
})
it('a new price of the open candle changes the last index', () =>
  expect(rowChange(rows, changed(7))).toEqual({ kind: 'tail', from: 7 }))
it('a revised candle changes everything from its index on', () =>
  expect(rowChange(rows, changed(4))).toEqual({ kind: 'tail', from: 4 }))
it('a new candle begins after the ones that were there', () =>
  expect(rowChange(rows.slice(0, 6), rows)).toEqual({ kind: 'tail', from: 6 }))
it('older candles move all indices up, dropped ones down', () => {
  expect(rowChange(rows.slice(3), rows)).toEqual({ kind: 'moved', by: 3 })
  expect(rowChange(rows.slice(0, 6), rows.slice(2))).toEqual({ kind: 'moved', by: -2 })
})
it('another history has nothing in common', () => {
  const other = rows.map((row): CandleRow => [row[0] + 100, 1, 2, 0, 1, 1])
  expect(rowChange(rows, other)).toEqual({ kind: 'other' })
  expect(rowChange([], rows)).toEqual({ kind: 'other' })
})
