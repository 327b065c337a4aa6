import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timeWeightedPct } from './time-weighted.ts'

const rounded = (values: Float64Array) => [...values].map((value) => Math.round(1e9 * value) / 1e9)

it('chains what each step made on what stood at its beginning', () => {
  // 1000 → 1100 is 10 %; 900 come, and 2000 → 1900 is −5 %: 1.1 × 0.95 = 1.045.
  const steps = [
    { worth: 1000, base: 1000 },
    { worth: 1100, base: 1000 },
    { worth: 1900, base: 2000 },
  ]
  expect(rounded(timeWeightedPct(steps))).toEqual([0, 10, 4.5])
})

it('counts money that comes and goes neither as profit nor as loss', () => {
  const flows = fc.array(fc.double({ min: -0.9, max: 5, noNaN: true }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(flows, (changes) => {
      let worth = 1000
      const steps = changes.map((change) => {
        worth *= 1 + change
        return { worth, base: worth }
      })
      expect([...timeWeightedPct(steps)]).toEqual(changes.map(() => 0))
    }),
  )
})

it('a time-weighted return stays the same while nothing is held, and at -100 percent once all is lost', () => {
  const steps = [
    { worth: 100, base: 50 },
    { worth: 0, base: 0 },
    { worth: -3, base: 10 },
    { worth: 20, base: 10 },
  ]
  expect([...timeWeightedPct(steps)]).toEqual([100, 100, -100, -100])
})
