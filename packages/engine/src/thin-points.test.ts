import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { thinPoints } from './thin-points.ts'

describe('thinning a curve', () => {
  it('keeps all of a short one', () => expect(thinPoints(Float64Array.of(3, 1, 2), 3)).toEqual([0, 1, 2]))

  it('keeps all of a short one that never moves', () =>
    expect(thinPoints(Float64Array.of(5, 5, 5, 5, 5), 5)).toEqual([0, 1, 2, 3, 4]))

  it('keeps both ends, the highest and the lowest, in order and not many more than asked for', () => {
    const curve = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(curve, fc.integer({ min: 4, max: 60 }), (values, most) => {
        const kept = thinPoints(Float64Array.from(values), most)
        const shown = kept.map((i) => values[i]!)
        expect(kept[0]).toBe(0)
        expect(kept.at(-1)).toBe(values.length - 1)
        expect(Math.max(...shown)).toBe(Math.max(...values))
        expect(Math.min(...shown)).toBe(Math.min(...values))
        expect(kept).toEqual([...kept].sort((a, b) => a - b))
        expect(kept.length).toBeLessThanOrEqual(most + 4)
      }),
    )
  })
})
