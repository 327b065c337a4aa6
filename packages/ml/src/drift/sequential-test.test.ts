import { createRandom } from '@shapecast/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVIDENCE, type TestedOutcome, testInSequence } from './sequential-test.ts'

const coin = (place: number, up: boolean): TestedOutcome => ({
  place,
  value: up ? 0.5 : -0.5,
  least: -0.5,
  most: 0.5,
})

type Excess = Omit<TestedOutcome, 'place'>
const win: Excess = { value: 0.5, least: -0.5, most: 0.5 }
/** The e-values of outcomes one after the other. */
const after = (...outcomes: Excess[]): number[] => [
  ...testInSequence(outcomes.map((outcome, place) => ({ ...outcome, place }))).e,
]

describe('a bet', () => {
  it('stakes nothing before it has seen an excess, then by what it has seen', () => {
    // Sum 0.5, squares 0.25 and 20 outcomes of caution at 0.25 each: a stake of 0.5 / 5.25, on half of the capital.
    expect(after(win, win)).toEqual([1, expect.closeTo(0.5 * (1 + (0.5 / 5.25) * 0.5) + 0.5, 12)])
  })

  it('is cautious by the farthest that an outcome can go to either side', () => {
    // A miss of a 90 % range: 0.9 over what may be, −0.1 under it. 20 outcomes of caution at 0.81, and the miss itself.
    const miss = { value: 0.9, least: -0.1, most: 0.9 }
    expect(after(miss, miss)[1]).toBeCloseTo(0.5 * (1 + (0.9 / (21 * 0.81)) * 0.9) + 0.5, 12)
  })

  it('stakes nothing while the sum is not above 0, nor on what cannot win', () => {
    expect(after({ value: -0.5, least: -0.5, most: 0.5 }, win)).toEqual([1, 1])
    expect(after(win, { value: -0.1, least: -0.2, most: -0.1 })[1]).toBe(1)
  })

  it('never loses more than half of what is at stake, nor its last', () => {
    const wins = Array.from({ length: 401 }, () => ({ value: 1, least: -0.01, most: 1 }))
    const e = after(...wins, { value: -0.01, least: -0.01, most: 1 })
    expect(e[401]).toBeGreaterThanOrEqual(e[400]! / 2)
  })
})

describe('bets on a window of a stream', () => {
  it('begin where those on the whole begin, and those before count as nothing', () => {
    // Bets begin at 0, 50 and 100 with ½, 1/6 and 1/12; what is left for later ones is 1/4. From 60 on only the third is
    // known, whose first stake is 0.5 / 5.25 of the second win on.
    const { e } = testInSequence(
      [60, 100, 101].map((place) => ({ ...win, place })),
      60,
    )
    expect([...e]).toEqual(
      [1 / 3, 1 / 4 + 1 / 12, 1 / 4 + (1 / 12) * (1 + (0.5 / 5.25) * 0.5)].map((value) => expect.closeTo(value, 12)),
    )
  })
})

describe('a test in sequence', () => {
  it('is 1 before any outcome, and finds nothing', () => {
    expect(testInSequence([])).toEqual({ e: new Float64Array(0), largestE: 1, crossedAt: null })
  })

  it('speaks at 20, when a false claim has come so far with 1 in 20', () => {
    expect(EVIDENCE).toBe(20)
    const { e, crossedAt } = testInSequence(Array.from({ length: 200 }, (_, i) => coin(i, true)))
    expect(e[crossedAt!]!).toBeGreaterThanOrEqual(20)
    expect(e[crossedAt! - 1]!).toBeLessThan(20)
  })

  const stream = (seed: number, n: number, pOf: (i: number) => number): TestedOutcome[] => {
    const random = createRandom(seed)
    return Array.from({ length: n }, (_, i) => coin(i, random.next() < pOf(i)))
  }

  it('is fooled in at most 5 % of 400 fair streams that are looked at after each of 1,000 outcomes', () => {
    let fooled = 0
    for (let seed = 1; seed <= 400; seed++)
      if (testInSequence(stream(seed, 1000, () => 0.5)).crossedAt !== null) fooled++
    expect(fooled).toBeLessThanOrEqual(20)
    // It does bet: on some of them it comes close.
    const best = Array.from({ length: 400 }, (_, s) => testInSequence(stream(s + 1, 1000, () => 0.5)).largestE)
    expect(best.filter((e) => e > 4).length).toBeGreaterThan(5)
  })

  it('is never more on a window than on the whole, however much of the stream is cut off', () => {
    const outcomes = stream(7, 900, (i) => (i < 500 ? 0.5 : 0.7))
    const whole = testInSequence(outcomes).e
    for (const cut of [0, 1, 47, 300, 650]) {
      const { e } = testInSequence(outcomes.slice(cut), cut)
      e.forEach((value, i) => {
        expect(value).toBeLessThanOrEqual(whole[cut + i]! + 1e-12)
      })
    }
  })

  it('is fooled in at most 5 % of fair streams of which only the newest 1,000 of up to 5,000 are looked at', () => {
    // Each window by itself would be fooled in 1 or 2 %, and in a quarter of the streams sooner or later.
    let fooled = 0
    for (let seed = 1; seed <= 100; seed++) {
      const outcomes = stream(seed, 5000, () => 0.5)
      for (let from = 0; from <= 4000; from += 250)
        if (testInSequence(outcomes.slice(from, from + 1000), from).crossedAt !== null) {
          fooled++
          break
        }
    }
    expect(fooled).toBeLessThanOrEqual(5)
  })

  it('still finds a break in the newest 3,000 of 13,000', () => {
    const outcomes = stream(3, 13_000, (i) => (i < 11_000 ? 0.5 : 0.62))
    const { crossedAt } = testInSequence(outcomes.slice(10_000), 10_000)
    expect(crossedAt).toBeGreaterThan(1000)
  })

  it('finds a break from 50 to 62 % after 1,000 outcomes in 95 of 100 streams within 700', () => {
    const tests = Array.from({ length: 100 }, (_, s) =>
      testInSequence(stream(s + 1, 1700, (i) => (i < 1000 ? 0.5 : 0.62))),
    )
    const found = tests.filter(({ crossedAt }) => crossedAt !== null && crossedAt >= 1000)
    expect(found.length).toBeGreaterThanOrEqual(95)
  })

  const anyOutcome = fc
    .tuple(
      fc.integer({ min: -1000, max: 0 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    .map(([low, high, at]) => ({ least: low / 1000, most: high / 1000, value: (low + at * (high - low)) / 1000 }))
  const anyStream = fc
    .array(anyOutcome, { maxLength: 120 })
    .map((list) => list.map((outcome, place): TestedOutcome => ({ ...outcome, place })))

  it('is never negative, NaN or infinite, and remembers the largest', () => {
    fc.assert(
      fc.property(anyStream, (outcomes) => {
        const { e, largestE, crossedAt } = testInSequence(outcomes)
        for (const value of e) expect(value >= 0 && Number.isFinite(value)).toBe(true)
        if (e.length > 0) expect(largestE).toBe(Math.max(...e))
        expect(crossedAt !== null).toBe(largestE >= EVIDENCE)
      }),
    )
  })

  it('does not look ahead: what comes later changes no earlier e-value', () => {
    fc.assert(
      fc.property(anyStream, fc.nat(120), (outcomes, cut) => {
        const whole = testInSequence(outcomes).e
        expect(testInSequence(outcomes.slice(0, cut)).e).toEqual(whole.slice(0, cut))
      }),
    )
  })

  it('does not mind which of equal outcomes came first', () => {
    fc.assert(
      fc.property(anyOutcome, fc.integer({ min: 2, max: 60 }), (outcome, n) => {
        const same = Array.from({ length: n }, (_, place) => ({ ...outcome, place }))
        const turned = same.toReversed().map((one, place) => ({ ...one, place }))
        expect(testInSequence(turned)).toEqual(testInSequence(same))
      }),
    )
  })
})
