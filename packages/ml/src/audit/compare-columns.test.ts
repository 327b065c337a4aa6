import { describe, expect, it } from 'vitest'
import { compareColumns } from './compare-columns.ts'

const columns = (named: Record<string, number[]>, of: number, skip = 0) => ({
  columns: Object.fromEntries(Object.entries(named).map(([name, values]) => [name, Float64Array.from(values)])),
  of,
  skip,
})

describe('columns of the same candles', () => {
  it('differ relative to the larger number, where that is beyond the tolerance', () => {
    const [a, b] = [columns({ x: [1, 4] }, 2), columns({ x: [1, -5] }, 2)]
    // |4 + 5| / 5
    expect(compareColumns(a, b, 2, 1.8)).toEqual({ columns: [], firstRow: -1, compared: 2, largest: 1.8 })
    expect(compareColumns(a, b, 2, 1.7)).toEqual({ columns: ['x'], firstRow: 1, compared: 2, largest: 1.8 })
    expect(compareColumns(a, b, 1, 0)).toEqual({ columns: [], firstRow: -1, compared: 1, largest: 0 })
  })

  it('differ without bound where one is known and the other not, and not where neither is', () => {
    const [a, b] = [columns({ x: [Number.NaN, Number.NaN] }, 2), columns({ x: [Number.NaN, 1] }, 2)]
    const found = { columns: ['x'], firstRow: 1, compared: 2, largest: Number.POSITIVE_INFINITY }
    expect(compareColumns(a, b, 2, 1000)).toEqual(found)
    expect(compareColumns(b, a, 2, 1000)).toEqual(found)
  })

  it('part at the first candle of all columns, of which some have several numbers a candle', () => {
    // The first is skipped in one of them. The fan, two numbers a candle, differs at candle 1, the other at candle 2.
    const a = columns({ fan: [9, 9, 1, 2, 3, 4, 5, 6], other: [9, 1, 2, 3] }, 4, 1)
    const b = columns({ fan: [1, 2, 3, 5, 5, 6], other: [1, 2, 4] }, 3)
    expect(compareColumns(a, b, 3, 0)).toEqual({
      columns: ['fan', 'other'],
      firstRow: 1,
      compared: 9,
      largest: 0.25,
    })
  })
})
