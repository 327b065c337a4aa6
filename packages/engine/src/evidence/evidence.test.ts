import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { dailyExcess } from './daily-excess.ts'
import { testDaily } from './e-process.ts'
import { sharpeOfYear, yearsUntilKnown } from './time-to-know.ts'

/** Park and Miller's generator: three uniform numbers a day. */
function referenceDays(seed: number, days: number): number[] {
  let state = seed
  const uniform = () => {
    state = (48_271 * state) % 2_147_483_647
    return state / 2_147_483_647
  }
  return Array.from({ length: days }, () => 0.02 * (uniform() + uniform() + uniform() - 1.5) + 0.0005)
}

describe('the excess of a day', () => {
  it('is the return without what the mean share of the days before would have brought', () => {
    const days = [
      { botReturn: 0.01, holdingReturn: 0.02, share: 0.4 },
      { botReturn: 0.03, holdingReturn: 0.05, share: 0.8 },
      { botReturn: -0.01, holdingReturn: -0.02, share: 0 },
    ]
    const [first, second, third] = dailyExcess(days)
    expect(first).toBe(0)
    expect(second).toBeCloseTo(0.03 - 0.4 * 0.05, 15)
    expect(third).toBeCloseTo(-0.01 + 0.6 * 0.02, 15)
  })

  it('is 0 of a bot that always holds the same share without costs', () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { maxLength: 60 }), (returns) => {
        const days = returns.map((r) => ({ botReturn: 0.5 * r, holdingReturn: r, share: 0.5 }))
        expect(Math.max(0, ...dailyExcess(days).map(Math.abs))).toBe(0)
      }),
    ))
})

describe('the test of days', () => {
  it('gives the figures of an independent implementation', () => {
    const { lnAhead, lnBehind, begunAt, verdict } = testDaily(referenceDays(3, 400))
    expect([begunAt, verdict]).toEqual([30, 'cannot_tell'])
    expect(lnAhead[29]).toBe(0)
    expect(lnAhead[30]! / 0.06649599026088074).toBeCloseTo(1, 12)
    expect(lnBehind[30]! / -0.07123468099850694).toBeCloseTo(1, 12)
    expect(lnAhead[399]! / 0.20653688558175076).toBeCloseTo(1, 12)
    expect(lnBehind[399]! / -1.6990974036963085).toBeCloseTo(1, 12)
  })

  it('bets on the first day after 30 that differ by what they varied: 3 standard deviations are (1.075 + 1.15 + 1.3 + 1.45) / 4', () => {
    const days = [...Array.from({ length: 30 }, (_, k) => (k % 2 === 0 ? 0.01 : -0.01)), 0.03]
    const { lnAhead, lnBehind } = testDaily(days)
    expect(Math.exp(lnAhead[30]!)).toBeCloseTo(1.24375, 12)
    expect(Math.exp(lnBehind[30]!)).toBeCloseTo(0.75625, 12)
  })

  it('is too early while fewer than 30 days had an excess', () => {
    expect(testDaily([]).verdict).toBe('too_early')
    expect(testDaily([...new Float64Array(500), ...referenceDays(3, 30)]).verdict).toBe('too_early')
    expect(testDaily([...new Float64Array(500), ...referenceDays(3, 31)]).begunAt).toBe(530)
  })

  it('keeps a verdict that was reached, whatever follows', () => {
    const good = Array.from({ length: 200 }, (_, k) => (k % 2 === 0 ? 0.012 : -0.004))
    const { decidedAt, verdict } = testDaily(good)
    expect(verdict).toBe('ahead')
    const later = testDaily([...good, ...good.map((x) => -3 * x)])
    expect([later.decidedAt, later.verdict]).toEqual([decidedAt, 'ahead'])
  })

  it('survives a day that ruins every bet', () => {
    const { lnAhead, verdict } = testDaily([...referenceDays(3, 100), -50])
    expect(verdict).toBe('behind')
    expect(lnAhead[100]).toBeLessThan(-600)
    expect(lnAhead.every(Number.isFinite)).toBe(true)
  })

  it('says the opposite for opposite days, and the same in another currency', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0.1, max: 10, noNaN: true }), (seed, scale) => {
        const days = referenceDays(seed, 90)
        const found = testDaily(days)
        expect(testDaily(days.map((x) => -x)).lnAhead).toEqual(found.lnBehind)
        expect(testDaily(days.map((x) => scale * x)).lnAhead[89]).toBeCloseTo(found.lnAhead[89]!, 9)
      }),
    ))

  it('knows nothing of the days to come', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), fc.double({ min: -1, max: 1, noNaN: true }), (cut, other) => {
        const days = referenceDays(9, 120)
        const changed = days.map((x, day) => (day < cut ? x : other))
        expect(testDaily(changed).lnAhead.slice(0, cut)).toEqual(testDaily(days).lnAhead.slice(0, cut))
      }),
    ))
})

describe('daily looks for five years', () => {
  const DAYS = 1826
  const random = createRandom(11)
  const normal = () => random.normal()
  const fatTailed = () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3)
  const skewed = () => -Math.log(1 - random.next()) - 1
  const told = (bots: number, days: () => Float64Array) => {
    const found = Array.from({ length: bots }, () => testDaily(days()).verdict)
    return { any: found.filter((v) => v !== 'cannot_tell').length, ahead: found.filter((v) => v === 'ahead').length }
  }
  /** Holds a share at random of a market that rises by half a year and swings. */
  const randomShares = () =>
    dailyExcess(
      Array.from({ length: DAYS }, () => {
        const share = random.next()
        const holdingReturn = 0.0014 + 0.03 * normal()
        return { share, holdingReturn, botReturn: share * holdingReturn }
      }),
    )
  const noiseOf = (next: () => number) => () => Float64Array.from({ length: DAYS }, () => 0.01 * next())

  it('call at most 5 % of 1,000 bots without an edge better or worse', () => {
    const kinds = [noiseOf(normal), noiseOf(fatTailed), noiseOf(skewed), noiseOf(() => -skewed()), randomShares]
    const called = kinds.map((days) => told(200, days).any)
    expect(called.reduce((sum, of) => sum + of, 0)).toBeLessThanOrEqual(50)
  })

  it.each([
    [1, 20, 45],
    [2, 85, 100],
  ])('find a planted Sharpe ratio of %d in %d to %d of 100', (sharpe, least, most) => {
    const { ahead } = told(
      100,
      noiseOf(() => normal() + sharpe / Math.sqrt(365.25)),
    )
    expect(ahead).toBeGreaterThanOrEqual(least)
    expect(ahead).toBeLessThanOrEqual(most)
  })

  it('find half of the bots with a Sharpe ratio of 2 in about the years that are said', () => {
    const years = Array.from({ length: 201 }, () => {
      const { decidedAt } = testDaily(noiseOf(() => normal() + 2 / Math.sqrt(365.25))())
      return (decidedAt ?? DAYS) / 365.25
    }).sort((a, b) => a - b)
    expect(years[100]! / yearsUntilKnown(2)).toBeGreaterThan(0.8)
    expect(years[100]! / yearsUntilKnown(2)).toBeLessThan(1.25)
  })
})

describe('when will I know', () => {
  it('says 8.1 years of 10 % over holding at 10 % volatility, and 32.4 at 20 %', () => {
    expect(yearsUntilKnown(sharpeOfYear(0.1, 0.1))).toBeCloseTo(8.1, 12)
    expect(yearsUntilKnown(sharpeOfYear(0.1, 0.2))).toBeCloseTo(32.4, 12)
    expect(yearsUntilKnown(-2)).toBeCloseTo(2.025, 12)
  })

  it('says never without an edge', () => expect(yearsUntilKnown(sharpeOfYear(0, 0))).toBe(Number.POSITIVE_INFINITY))
})
