import { candlesFromRows, rowsFromCandles } from '@shapecast/engine/candles'
import { expect, it } from 'vitest'
import { aggregateCandles } from './aggregate.ts'

const M = 60_000
/** The minute `i` with open 10 + i. */
const minute = (i: number, high: number, low: number): number[] => [i * M, 10 + i, high, low, 10.5 + i, i + 1]

it('makes a 5m candle of five minutes: first open, highest high, lowest low, last close, sum of the volumes', () => {
  const minutes = [minute(0, 12, 9), minute(1, 15, 10), minute(2, 14, 11), minute(3, 14, 7), minute(4, 16, 13)]
  const made = aggregateCandles(candlesFromRows(minutes), M, 5 * M)
  expect(rowsFromCandles(made)).toEqual([[0, 10, 16, 7, 14.5, 15]])
})

it('leaves out what is not complete: at the start, in the middle and at the end', () => {
  const present = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21]
  const made = aggregateCandles(candlesFromRows(present.map((i) => minute(i, 99, 1))), M, 5 * M)
  expect([...made.ts].map((ts) => ts / M)).toEqual([5, 15])
})
