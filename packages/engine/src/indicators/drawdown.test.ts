import fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawdownPct, drawdownsPct, maxDrawdownPct } from './drawdown.ts'

it('falls 10 % from 110 to 99, and is 0 at a new peak', () => {
  expect([...drawdownsPct([100, 110, 99, 121], 100)].map((pct) => Math.round(pct * 1e9) / 1e9)).toEqual([0, 0, 10, 0])
  expect(maxDrawdownPct([100, 110, 99, 121], 100)).toBeCloseTo(10, 9)
})

it('begins at what was there before: 90 is 25 % below 120', () => {
  expect([...drawdownsPct([90, 120], 120)]).toEqual([25, 0])
  expect(maxDrawdownPct([500, 90, 120, 1], 120, 1, 3)).toBe(25)
})

it('the maximum drawdown is 0 without anything to lose, and 100 once all is lost', () => {
  expect([drawdownPct(0, 0), maxDrawdownPct([0, 0], 0), maxDrawdownPct([], 100)]).toEqual([0, 0, 0])
  expect(maxDrawdownPct([50, 0], 100)).toBe(100)
})

const curves = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 })

it('the maximum drawdown is the deepest fall of any value below an earlier one', () =>
  fc.assert(
    fc.property(curves, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (values, start) => {
      const all = [start, ...values]
      let deepest = 0
      for (const [i, high] of all.entries())
        for (const low of all.slice(i)) if (high > 0) deepest = Math.max(deepest, 100 * (1 - low / high))
      expect(maxDrawdownPct(values, start)).toBe(deepest)
      expect(Math.max(0, ...drawdownsPct(values, start))).toBe(deepest)
    }),
  ))
