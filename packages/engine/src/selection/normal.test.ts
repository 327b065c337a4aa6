import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalProbability, normalQuantile } from './normal.ts'

describe('the normal distribution', () => {
  it('has the values of its tables', () => {
    expect(normalProbability(0)).toBe(0.5)
    expect(normalProbability(1)).toBeCloseTo(0.8413447460685429, 15)
    expect(normalProbability(-2.999)).toBeCloseTo(0.001354337, 8)
    expect(normalProbability(-5) / 2.866515718791939e-7).toBeCloseTo(1, 13)
    expect([normalProbability(-40), normalProbability(40)]).toEqual([expect.closeTo(0, 300), 1])
    expect(normalProbability(Number.NaN)).toBeNaN()
  })

  it('goes on from the middle to the tails without a jump', () => {
    for (const x of [-3, 3]) expect(normalProbability(x * (1 + 1e-13))).toBeCloseTo(normalProbability(x), 14)
  })

  it('has the quantiles of its tables', () => {
    expect(normalQuantile(0.5)).toBeCloseTo(0, 15)
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 13)
    expect(normalQuantile(0.95)).toBeCloseTo(1.6448536269514722, 13)
    expect(normalQuantile(1e-10)).toBeCloseTo(-6.361340902404056, 12)
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    for (const p of [-0.1, 1.1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(RangeError)
  })

  it('has a quantile for every probability, to a millionth of a millionth', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
        expect(Math.abs(normalProbability(normalQuantile(p)) - p)).toBeLessThan(1e-12 * Math.max(p, 1e-3))
      }),
    )
  })
})
