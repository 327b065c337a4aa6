import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../random.ts'
import { lehmer, uniformTrials } from '../testing/search-series.ts'
import { createRealityCheck, drawBlocks, joinRealityChecks } from './reality-check.ts'

const checked = (trials: readonly Float64Array[], next: () => number, draws = 999) => {
  const check = createRealityCheck(drawBlocks(trials[0]!.length, next, draws))
  for (const series of trials) check.add(series)
  return check
}
const edgeless = (random: Random, rows: number, trials: number) =>
  Array.from({ length: trials }, () => Float64Array.from({ length: rows }, () => random.normal()))

/** As the definition says it: each draw row by row, each trial's own mean taken off. */
function byHand(trials: readonly Float64Array[], next: () => number, draws: number): number[] {
  const rows = trials[0]!.length
  const means = trials.map((of) => of.reduce((sum, x) => sum + x, 0) / rows)
  return Array.from({ length: draws }, () => {
    const drawn = [Math.floor(next() * rows)]
    while (drawn.length < rows) drawn.push(next() < 0.1 ? Math.floor(next() * rows) : (drawn.at(-1)! + 1) % rows)
    const statistics = trials.map((of, k) => {
      const values = drawn.map((row) => of[row]! - means[k]!)
      const mean = values.reduce((sum, x) => sum + x, 0) / rows
      const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (rows - 1)
      return (Math.sqrt(rows) * mean) / Math.sqrt(variance)
    })
    return Math.max(...statistics)
  })
}

describe('the reality check', () => {
  it('finds that the best of ten stored trials does no better than luck: p 0.215', () => {
    const check = checked(uniformTrials(2, 320, 10), lehmer(6), 199)
    const { best, statistic, p, trials } = check.result()
    expect({ best, p, trials }).toEqual({ best: 5, p: 0.215, trials: 10 })
    expect(statistic).toBeCloseTo(2.000043508672855, 12)
    expect(check.drawn[0]).toBeCloseTo(2.402167844454787, 12)
  })

  it('draws what its definition says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 12, max: 80 }), (seed, rows) => {
        const trials = uniformTrials(seed, rows, 3)
        const { drawn } = checked(trials, createRandom(seed).next, 20)
        byHand(trials, createRandom(seed).next, 20).forEach((value, draw) => {
          expect(drawn[draw]).toBeCloseTo(value, 9)
        })
      }),
    )
  })

  it('comes to the same in parts that share their draws', () => {
    const trials = uniformTrials(3, 100, 6)
    const whole = checked(trials, lehmer(9)).result()
    const splits = [
      [
        [0, 1],
        [2, 3, 4, 5],
      ],
      [
        [0, 1, 2, 3],
        [4, 5],
      ],
      [[], [0, 1, 2, 3, 4, 5]],
    ] as const
    for (const split of splits) {
      const parts = split.map((places) => {
        const check = createRealityCheck(drawBlocks(100, lehmer(9), 999))
        for (const place of places) check.add(trials[place]!)
        return { ...check.result(), drawn: check.drawn }
      })
      expect(joinRealityChecks(parts)).toEqual(whole)
    }
  })

  it('gives one trial without an edge any p as often as any other', () => {
    const random = createRandom(21)
    const found = Array.from({ length: 1000 }, () => checked(edgeless(random, 120, 1), random.next, 99).result().p)
    for (const level of [0.05, 0.1, 0.25, 0.5, 0.75, 0.9]) {
      const share = found.filter((p) => p <= level).length / 1000
      // Three standard errors, and what the bootstrap of so few rows is off by.
      expect(Math.abs(share - level)).toBeLessThan(3 * Math.sqrt((level * (1 - level)) / 1000) + 0.01)
    }
  })

  it('calls the best of 50 trials without an edge significant in at most 17 of 200 searches', () => {
    const random = createRandom(22)
    const called = Array.from({ length: 200 }, () => {
      const { p, statistic } = checked(edgeless(random, 250, 50), random.next, 199).result()
      return { p, alone: statistic! > 1.96 }
    })
    expect(called.filter(({ p }) => p <= 0.05).length).toBeLessThanOrEqual(17)
    // By itself the same best trial would have passed nearly every time.
    expect(called.filter(({ alone }) => alone).length).toBeGreaterThan(120)
  })

  it('finds an edge of a quarter of a deviation a day among 50 trials, and names it', () => {
    const random = createRandom(23)
    const trials = edgeless(random, 500, 50)
    trials[31] = trials[31]!.map((x) => x + 0.25)
    expect(checked(trials, random.next).result()).toMatchObject({ best: 31, p: 0.001 })
  })

  it('keeps and names a yearly Sharpe ratio of 2 among 50 trials of 1,000 days in 60 to 66 of 100, within chance', () => {
    const random = createRandom(24)
    const named = Array.from({ length: 100 }, () => {
      const trials = edgeless(random, 1000, 50)
      trials[7] = trials[7]!.map((x) => x + 2 / Math.sqrt(365.25))
      const { best, p } = checked(trials, random.next, 199).result()
      return best === 7 && p <= 0.05
    }).filter(Boolean).length
    // Three standard errors of 100 searches.
    expect(named).toBeGreaterThan(45)
    expect(named).toBeLessThan(81)
  })

  it('counts trials that never trade, and finds nothing in them', () => {
    const idle = [new Float64Array(50), new Float64Array(50).fill(0.1)]
    expect(checked(idle, lehmer(1)).result()).toEqual({ trials: 2, best: null, statistic: null, p: 1 })
    const [other] = uniformTrials(1, 50, 1)
    expect(checked([...idle, other!], lehmer(1)).result().p).toBe(checked([other!], lehmer(1)).result().p)
  })

  it('refuses a trial of other periods', () => {
    expect(() => createRealityCheck(drawBlocks(3, lehmer(1), 1)).add(new Float64Array(4))).toThrow(RangeError)
  })
})
