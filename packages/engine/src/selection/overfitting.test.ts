import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { uniformTrials } from '../testing/search-series.ts'
import { createOverfitting } from './overfitting.ts'

const overfitting = (trials: readonly Float64Array[], blocks?: number) => {
  const search = createOverfitting(trials[0]!.length, blocks)
  for (const series of trials) search.add(series)
  return search.result()
}

describe('the probability of backtest overfitting', () => {
  it('is 8,893 of 12,870 choices for ten stored trials', () => {
    const { trials, choices, failed, probability, meanLogit, firstLogit } = overfitting(uniformTrials(2, 320, 10))
    expect({ trials, choices, failed }).toEqual({ trials: 10, choices: 12_870, failed: 8893 })
    expect(probability).toBe(8893 / 12_870)
    expect(meanLogit).toBeCloseTo(-0.37546189815585584, 12)
    expect(firstLogit).toBeCloseTo(-0.5596157879354225, 12)
  })

  it('has six choices for four blocks, and four of them fail', () => {
    expect(overfitting(uniformTrials(2, 320, 10), 4)).toMatchObject({ choices: 6, failed: 4 })
  })

  it('leaves out the oldest rows that fill no block', () => {
    expect(overfitting(uniformTrials(2, 325, 10)).failed).toBe(7266)
    const trials = uniformTrials(2, 320, 10)
    const older = trials.map((of) => Float64Array.of(9, -9, 9, ...of))
    expect(overfitting(older)).toEqual(overfitting(trials))
  })

  it('is 0 where one trial is the best everywhere', () => {
    const trials = uniformTrials(3, 160, 5)
    trials[2] = trials[2]!.map((x) => x + 1)
    // The fifth of five: ln(5 / 1).
    expect(overfitting(trials)).toMatchObject({ failed: 0, probability: 0, meanLogit: expect.closeTo(Math.log(5), 12) })
  })

  it('is 1 of trials that are all the same: the chosen one is in the middle', () => {
    const [one] = uniformTrials(4, 160, 1)
    expect(overfitting([one!, one!, one!])).toMatchObject({ probability: 1, meanLogit: 0 })
    const idle = new Float64Array(160)
    expect(overfitting([idle, idle])).toMatchObject({ probability: 1, meanLogit: 0 })
  })

  it('averages a half over many searches without an edge', () => {
    const random = createRandom(5)
    const search = () => Array.from({ length: 10 }, () => Float64Array.from({ length: 160 }, () => random.normal()))
    const found = Array.from({ length: 200 }, () => overfitting(search(), 8).probability)
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.07)
  })

  it('refuses too few rows, a trial of other periods, and a search of one trial', () => {
    expect(() => createOverfitting(31)).toThrow('31 rows do not fill 16 blocks.')
    expect(() => createOverfitting(32).add(new Float64Array(33))).toThrow(RangeError)
    expect(() => overfitting(uniformTrials(1, 32, 1))).toThrow(RangeError)
  })
})
