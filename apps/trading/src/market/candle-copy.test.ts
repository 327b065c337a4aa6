import { candlesFromRows, rowsFromCandles } from '@shapecast/engine/candles'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { COPY_END, COPY_START, encodeRows, RowDecoder } from './candle-copy.ts'

const number = fc.double({ noNaN: true })
const row = fc.tuple(fc.integer({ min: 0, max: 4e15 }), number, number, number, number, number)

it('comes out of the binary form as it went in, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 50 }),
      fc.array(fc.nat(), { maxLength: 10 }),
      fc.boolean(),
      (rows, cuts, turn) => {
        const bytes = Buffer.concat([COPY_START, encodeRows(candlesFromRows(rows)), COPY_END])
        const ends = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b)
        const decoder = new RowDecoder(1)
        for (let i = 1; i < ends.length; i++) decoder.push(bytes.subarray(ends[i - 1], ends[i]))
        expect(rowsFromCandles(decoder.finish(turn))).toEqual(turn ? rows.toReversed() : rows)
      },
    ),
    { numRuns: 500 },
  )
})

it('a binary copy without its end, or with a row of another form, is refused', () => {
  const decoder = new RowDecoder(1)
  decoder.push(COPY_START)
  expect(() => decoder.finish()).toThrow('ended its answer')
  const wrong = encodeRows(candlesFromRows([[1, 2, 3, 4, 5, 6]]))
  wrong.writeInt16BE(5)
  expect(() => decoder.push(wrong)).toThrow('5 columns instead of 6')
})
