import { createRandom } from '@shapecast/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { riseBegins } from './change-point.ts'
import { EVIDENCE, lanePenalty, type TestedOutcome, testInSequence } from './sequential-test.ts'
import { createWager } from './wager.ts'

const coin = (candle: number, up: boolean): TestedOutcome => ({
  candle,
  value: up ? 0.5 : -0.5,
  least: -0.5,
  most: 0.5,
})

describe('a bet', () => {
  it('stakes nothing before it has seen an excess, then by what it has seen', () => {
    const wager = createWager()
    const win = { value: 0.5, least: -0.5, most: 0.5 }
    expect(wager.take(win, 0)).toBe(1)
    // Sum 0.5, squares 0.25 and 20 outcomes of caution at 0.25 each: a stake of 0.5 / 5.25, on half of the capital.
    expect(wager.take(win, 1)).toBeCloseTo(0.5 * (1 + (0.5 / 5.25) * 0.5) + 0.5, 12)
  })

  it('is cautious by the farthest that an outcome can go to either side', () => {
    // A miss of a 90 % range: 0.9 over what may be, −0.1 under it. 20 outcomes of caution at 0.81, and the miss itself.
    const miss = { value: 0.9, least: -0.1, most: 0.9 }
    const wager = createWager()
    wager.take(miss, 0)
    expect(wager.take(miss, 1)).toBeCloseTo(0.5 * (1 + (0.9 / (21 * 0.81)) * 0.9) + 0.5, 12)
  })

  it('stakes nothing while the sum is not above 0, nor on what cannot win', () => {
    const wager = createWager()
    expect(wager.take({ value: -0.5, least: -0.5, most: 0.5 }, 0)).toBe(1)
    expect(wager.take({ value: 0.5, least: -0.5, most: 0.5 }, 1)).toBe(1)
    const other = createWager()
    other.take({ value: 0.5, least: -0.5, most: 0.5 }, 0)
    expect(other.take({ value: -0.1, least: -0.2, most: -0.1 }, 1)).toBe(1)
  })

  it('never loses more than half of what is at stake, nor its last', () => {
    const wager = createWager()
    for (let i = 0; i < 400; i++) wager.take({ value: 1, least: -0.01, most: 1 }, i)
    const rich = wager.take({ value: 1, least: -0.01, most: 1 }, 400)
    expect(wager.take({ value: -0.01, least: -0.01, most: 1 }, 401)).toBeGreaterThanOrEqual(rich / 2)
  })
})

describe('bets on a window of a stream', () => {
  const win = { value: 0.5, least: -0.5, most: 0.5 }

  it('begin where those on the whole begin, and those before count as nothing', () => {
    // Bets begin at 0, 50 and 100 with ½, 1/6 and 1/12; what is left for later ones is 1/4. From 60 on only the third is
    // known, whose first stake is 0.5 / 5.25 of the second win on.
    const wager = createWager(60)
    expect(wager.take(win, 60)).toBeCloseTo(1 / 3, 12)
    expect(wager.take(win, 100)).toBeCloseTo(1 / 4 + 1 / 12, 12)
    expect(wager.take(win, 101)).toBeCloseTo(1 / 4 + (1 / 12) * (1 + (0.5 / 5.25) * 0.5), 12)
  })

  it('lose nothing where the window begins with the stream', () => {
    const [whole, other] = [createWager(), createWager(0)]
    for (let i = 0; i < 120; i++) expect(other.take(win, i)).toBe(whole.take(win, i))
  })
})

describe('what the mean of dependent tests is divided by', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, Math.E * Math.log(3)],
    [4, Math.E * Math.log(4)],
    [8, Math.E * Math.log(8)],
  ])('for %i lanes is %f', (lanes, penalty) => {
    expect(lanePenalty(lanes)).toBe(penalty)
  })
})

describe('the moment of a change', () => {
  it('is where the mean rises, and 0 where one mean explains the values', () => {
    expect(riseBegins([0, 0.1, 0, 0.1, 0, 0.1, 1, 0.9, 1, 0.9, 1])).toBe(6)
    expect(riseBegins([1, 0, 1, 0, 1, 0, 1, 0])).toBe(0)
    expect(riseBegins([1, 1, 1, 0, 0, 0])).toBe(0)
    expect(riseBegins([0, 0, 0, 1, 1, 1])).toBe(3)
    expect(riseBegins([])).toBe(0)
  })

  it('is one where the rise gains 4.5 in likelihood: 1.4 deviations between ten and ten, not 1.3', () => {
    // Deviations of ±1 around 0 and then around a: a² · 10 · 10 / 20 of the squares is explained, 1 a value is left.
    const rise = (a: number) => Array.from({ length: 20 }, (_, i) => (i < 10 ? 0 : a) + (i % 2 === 0 ? 1 : -1))
    expect(riseBegins(rise(1.4))).toBe(10)
    expect(riseBegins(rise(1.3))).toBe(0)
    expect(riseBegins(rise(-3))).toBe(0)
  })
})

describe('a test in sequence', () => {
  it('is 1 before any outcome, and finds nothing', () => {
    expect(testInSequence([], 1)).toEqual({ e: new Float64Array(0), largestE: 1, crossedAt: null, changedAt: null })
  })

  it('keeps outcomes that overlap apart: with two lanes, a lane of wins and one of losses', () => {
    const outcomes = Array.from({ length: 60 }, (_, i) => coin(i, i % 2 === 0))
    const [wins] = [Array.from({ length: 30 }, (_, i) => coin(i, true))]
    const alone = testInSequence(wins, 1).e[29]!
    // The losing lane never bets: (its 1 + the winner's) / 2 lanes, over the penalty of 2.
    expect(testInSequence(outcomes, 2).e[59]).toBeCloseTo((alone + 1) / 4, 10)
    // So does one of which nothing is known yet.
    const even = outcomes.filter(({ candle }) => candle % 2 === 0)
    expect(testInSequence(even, 2).e[29]).toBeCloseTo((alone + 1) / 4, 10)
  })

  it('speaks at 20, when a false claim has come so far with 1 in 20', () => {
    expect(EVIDENCE).toBe(20)
    const { e, crossedAt } = testInSequence(
      Array.from({ length: 200 }, (_, i) => coin(i, true)),
      1,
    )
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
      if (
        testInSequence(
          stream(seed, 1000, () => 0.5),
          1,
        ).crossedAt !== null
      )
        fooled++
    expect(fooled).toBeLessThanOrEqual(20)
    // It does bet: on some of them it comes close.
    const best = Array.from(
      { length: 400 },
      (_, s) =>
        testInSequence(
          stream(s + 1, 1000, () => 0.5),
          1,
        ).largestE,
    )
    expect(best.filter((e) => e > 4).length).toBeGreaterThan(5)
  })

  it('is fooled in at most 5 % where outcomes overlap four candles', () => {
    let fooled = 0
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed)
      const steps = Array.from({ length: 1004 }, () => random.normal())
      const outcomes = Array.from({ length: 1000 }, (_, i) =>
        coin(i, steps[i + 1]! + steps[i + 2]! + steps[i + 3]! + steps[i + 4]! > 0),
      )
      if (testInSequence(outcomes, 4).crossedAt !== null) fooled++
    }
    expect(fooled).toBeLessThanOrEqual(20)
  })

  it('is never more on a window than on the whole, however much of the stream is cut off', () => {
    const outcomes = stream(7, 900, (i) => (i < 500 ? 0.5 : 0.7))
    for (const horizon of [1, 3]) {
      const whole = testInSequence(outcomes, horizon).e
      for (const cut of [0, 1, 47, 300, 650]) {
        const { e } = testInSequence(outcomes.slice(cut), horizon, cut)
        e.forEach((value, i) => {
          expect(value).toBeLessThanOrEqual(whole[cut + i]! + 1e-12)
        })
      }
    }
  })

  it('is fooled in at most 5 % of fair streams of which only the newest 1,000 of up to 5,000 are looked at', () => {
    // Each window by itself would be fooled in 1 or 2 %, and in a quarter of the streams sooner or later.
    let fooled = 0
    for (let seed = 1; seed <= 100; seed++) {
      const outcomes = stream(seed, 5000, () => 0.5)
      for (let from = 0; from <= 4000; from += 250)
        if (testInSequence(outcomes.slice(from, from + 1000), 1, from).crossedAt !== null) {
          fooled++
          break
        }
    }
    expect(fooled).toBeLessThanOrEqual(5)
  })

  it('still finds a break in the newest 3,000 of 13,000', () => {
    const outcomes = stream(3, 13_000, (i) => (i < 11_000 ? 0.5 : 0.62))
    const { crossedAt } = testInSequence(outcomes.slice(10_000), 1, 10_000)
    expect(crossedAt).toBeGreaterThan(1000)
  })

  it('finds a break from 50 to 62 % after 1,000 outcomes in 95 of 100 streams within 700, and about when it was', () => {
    const tests = Array.from({ length: 100 }, (_, s) =>
      testInSequence(
        stream(s + 1, 1700, (i) => (i < 1000 ? 0.5 : 0.62)),
        1,
      ),
    )
    const found = tests.filter(({ crossedAt }) => crossedAt !== null && crossedAt >= 1000)
    expect(found.length).toBeGreaterThanOrEqual(95)
    const when = found.map(({ changedAt }) => changedAt!).sort((a, b) => a - b)
    expect(Math.abs(when[when.length >> 1]! - 1000)).toBeLessThan(60)
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
    .map((list) => list.map((outcome, candle): TestedOutcome => ({ ...outcome, candle })))
  const anyHorizon = fc.integer({ min: 1, max: 8 })

  it('is never negative, NaN or infinite, and remembers the largest', () => {
    fc.assert(
      fc.property(anyStream, anyHorizon, (outcomes, horizon) => {
        const { e, largestE, crossedAt } = testInSequence(outcomes, horizon)
        for (const value of e) expect(value >= 0 && Number.isFinite(value)).toBe(true)
        if (e.length > 0) expect(largestE).toBe(Math.max(...e))
        expect(crossedAt !== null).toBe(largestE >= EVIDENCE)
      }),
    )
  })

  it('does not look ahead: what comes later changes no earlier e-value', () => {
    fc.assert(
      fc.property(anyStream, anyHorizon, fc.nat(120), (outcomes, horizon, cut) => {
        const whole = testInSequence(outcomes, horizon).e
        expect(testInSequence(outcomes.slice(0, cut), horizon).e).toEqual(whole.slice(0, cut))
      }),
    )
  })

  it('does not mind which of equal outcomes came first', () => {
    fc.assert(
      fc.property(anyOutcome, fc.integer({ min: 2, max: 60 }), (outcome, n) => {
        const same = Array.from({ length: n }, (_, candle) => ({ ...outcome, candle }))
        const turned = same.toReversed().map((one, candle) => ({ ...one, candle }))
        expect(testInSequence(turned, 1)).toEqual(testInSequence(same, 1))
      }),
    )
  })
})
