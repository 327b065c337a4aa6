import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DailyCourse, equalRisk } from './equal-risk.ts'

const DAY = 86_400_000

/** A run whose days go up and down by `step`, beside a coin that rises by 1 % a day. */
const zigzag = (days: number, step: number, from = 0): DailyCourse => {
  const equity = [1000]
  for (let i = 1; i < days; i++) equity.push(equity[i - 1]! * (1 + (i % 2 === 0 ? -step : step)))
  return { t: equity.map((_, i) => (from + i) * DAY), equity, close: equity.map((_, i) => 100 * 1.01 ** i) }
}

describe('runs at equal risk', () => {
  it('have parts of 20 % over their volatility, each of an even share, from the 31st day on', () => {
    const { t, own, hold } = equalRisk([zigzag(34, 0.01), zigzag(34, 0.02)], 0)!
    // 30 changes are learnt from; the 31st, up, is the first with parts.
    expect(t).toEqual([31, 32, 33].map((day) => day * DAY))
    // 1 % a day are 19.11 % a year: below 20, so it has its whole half. 2 % are 38.22 %: 20 / 38.22 = 0.5232 of the other half.
    expect(own[0]).toBeCloseTo(100 * (0.5 * 0.01 + (0.5 * 0.2 * 0.02) / (0.02 * Math.sqrt(365.25))), 10)
    expect(hold[0]).toBeCloseTo(1, 10)
  })

  it('pay for what is moved', () => {
    const free = equalRisk([zigzag(33, 0.01), zigzag(33, 0.02)], 0)!
    const paid = equalRisk([zigzag(33, 0.01), zigzag(33, 0.02)], 0.001)!
    // 0.5 and 0.2616 are bought on the first day; after it neither is a twentieth from its target.
    expect(free.own[0]! - paid.own[0]!).toBeCloseTo(100 * 0.001 * (0.5 + 0.1 / (0.02 * Math.sqrt(365.25))), 10)
    expect(paid.figures.totalReturnPct).toBeLessThan(free.figures.totalReturnPct)
  })

  it('begin where two are known, and one that comes later joins', () => {
    expect(equalRisk([zigzag(60, 0.01)], 0)).toBeNull()
    expect(equalRisk([zigzag(34, 0.01), zigzag(34, 0.01, 20)], 0)).toBeNull()
    expect(equalRisk([zigzag(80, 0.01), zigzag(80, 0.01, 20)], 0)!.t[0]).toBe(51 * DAY)
  })

  it('know nothing beforehand: days to come change no day before them', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.double({ min: -0.2, max: 0.2, noNaN: true }), fc.double({ min: -0.2, max: 0.2, noNaN: true })),
          {
            minLength: 40,
            maxLength: 60,
          },
        ),
        fc.integer({ min: 36, max: 39 }),
        (changes, cut) => {
          const course = (k: 0 | 1, length: number): DailyCourse => {
            const equity = [1000]
            for (const change of changes.slice(0, length)) equity.push(equity.at(-1)! * (1 + change[k]))
            return { t: equity.map((_, i) => i * DAY), equity, close: equity }
          }
          const whole = equalRisk([course(0, 60), course(1, 60)], 0.001)!
          const part = equalRisk([course(0, cut), course(1, cut)], 0.001)!
          expect(whole.own.slice(0, part.own.length)).toEqual(part.own)
        },
      ),
    ))
})
