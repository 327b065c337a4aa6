import { describe, expect, it } from 'vitest'
import { emaColumn } from './ema-column.ts'

describe('EMA', () => {
  it('of 3 over 1 2 3 7 9: seeded by the mean 2, then halfway to each close', () => {
    const ema = emaColumn(Float64Array.of(1, 2, 3, 7, 9), 3)
    expect([...ema]).toEqual([Number.NaN, Number.NaN, 2, 4.5, 6.75])
  })
  it('is unknown where there are fewer closes than its period', () =>
    expect([...emaColumn(Float64Array.of(1, 2), 3)]).toEqual([Number.NaN, Number.NaN]))
  it('carried on from a known stretch is the same to the bit as computed anew', () => {
    const close = Float64Array.from({ length: 400 }, (_, i) => 100 + 7 * Math.sin(i) + i / 9)
    const whole = emaColumn(close, 50)
    for (const from of [50, 51, 399]) {
      const known = emaColumn(close.slice(0, from), 50)
      expect([...emaColumn(close, 50, known, from)]).toEqual([...whole])
    }
  })
  it('does not carry on from a stretch in which it was not known yet', () => {
    const known = Float64Array.of(Number.NaN, Number.NaN)
    expect(emaColumn(Float64Array.of(1, 2, 3, 7), 3, known, 2)[3]).toBe(4.5)
  })
  it('leaves the known stretch untouched', () => {
    const known = emaColumn(Float64Array.of(1, 2, 3, 7), 3)
    emaColumn(Float64Array.of(1, 2, 3, 9), 3, known, 3)
    expect(known[3]).toBe(4.5)
  })
})
