import { describe, expect, it } from 'vitest'
import { createRandom } from './random.ts'
import { autocorrelation, resultIntervals, sharpeInterval, whyNoInterval } from './result-intervals.ts'
import { RESULT_SAMPLES } from './testing/result-samples.ts'

/** Lehmer's generator, so that others can work out the same figures. */
const lcg = (seed: number) => () => {
  seed = (48_271 * seed) % 2_147_483_647
  return seed / 2_147_483_647
}
const known = (seed: number, n: number) => {
  const u = lcg(seed)
  return Float64Array.from({ length: n }, () => 0.02 * (u() + u() + u() - 1.5) + 0.0005)
}
const expectEnds = (found: readonly number[] | null, ends: readonly [number, number], digits = 1e-12) =>
  ends.forEach((end, k) => {
    expect(Math.abs(found![k]! / end - 1)).toBeLessThan(digits)
  })

describe('intervals of results', () => {
  it('are those of the worked case: 60 results, blocks of 4, 199 draws', () => {
    expect(known(1, 250)[0]).toBe(-0.01577184935206168)
    const found = resultIntervals(known(4, 60), lcg(5), 199)
    expectEnds(found.mean, [-0.003974342627858332, 0.001940616178891985])
    expectEnds(found.sharpe, [-0.40470149571710395, 0.20445732308457487])
    expect(sharpeInterval(known(4, 60), lcg(5), 199)).toEqual(found.sharpe)
    expectEnds(found.logProfitFactor, [-0.9745929706018919, 0.49748792877606807])
  })

  it('use all 62 results for the figure and the draws, and leave two over for its error', () => {
    expectEnds(resultIntervals(known(4, 62), lcg(5), 199).mean, [-0.004288741495, 0.002496190312], 1e-9)
  })

  it('there are none below ten blocks, or with fewer than five wins or losses', () => {
    const wins = (won: number, n: number) => Float64Array.from({ length: n }, (_, i) => (i < won ? 1 + i : -1 - i))
    expect(resultIntervals(known(4, 29), lcg(5)).mean).toBeNull()
    expect([29, 30].map((n) => whyNoInterval(wins(10, n)))).toEqual(['too_few', null])
    expect([4, 5, 43, 44].map((won) => whyNoInterval(wins(won, 48)))).toEqual([
      'too_few_wins_or_losses',
      null,
      null,
      'too_few_wins_or_losses',
    ])
    expect(whyNoInterval(new Float64Array(0))).toBe('too_few')
    expect(resultIntervals(new Float64Array(100), lcg(5))).toEqual({ mean: null, sharpe: null, logProfitFactor: null })
  })

  it('are never of no width: two results that take turns have none', () => {
    const turns = Float64Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? 2 : -1))
    expect(resultIntervals(turns, lcg(5)).mean).toBeNull()
  })

  it('are the same bits for the same results', () => {
    const once = () => resultIntervals(known(7, 480), createRandom(1).next)
    expect(once()).toEqual(once())
  })

  // The whole table: node bench/intervals.ts. A standard error of 300 runs is 1.3 points.
  it.each([
    ['normal', 48],
    ['normal', 100],
    ['few large wins', 100],
    ['AR 0.3', 100],
  ] as const)('hold the truth of %s results 91 to 98 times in a hundred at n = %i', (kind, n) => {
    const sample = RESULT_SAMPLES[kind]
    const covered = { mean: 0, sharpe: 0, logProfitFactor: 0 }
    let drawn = 0
    for (let run = 0; run < 300; run++) {
      const found = resultIntervals(sample.draw(n, createRandom(run)), createRandom(1).next, 199)
      if (found.mean === null) continue
      drawn++
      for (const key of ['mean', 'sharpe', 'logProfitFactor'] as const) {
        const [low, high] = found[key]!
        if (low <= sample[key] && sample[key] <= high) covered[key]++
      }
    }
    expect(drawn).toBeGreaterThan(200)
    for (const count of Object.values(covered)) {
      expect(count / drawn).toBeGreaterThan(0.91)
      expect(count / drawn).toBeLessThan(0.98)
    }
  })
})

it('autocorrelation of 1, 2, 3, 4 is 1.25 / 5', () => {
  expect(autocorrelation(Float64Array.of(1, 2, 3, 4))).toBeCloseTo(0.25, 12)
  expect(autocorrelation(new Float64Array(9))).toBeNull()
})
