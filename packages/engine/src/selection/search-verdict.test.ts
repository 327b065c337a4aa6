import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { uniformTrials } from '../testing/search-series.ts'
import { createRealityCheck, drawBlocks } from './reality-check.ts'
import { createSearchVerdict } from './search-verdict.ts'

const judged = (trials: readonly Float64Array[], earlier?: number) => {
  const check = createRealityCheck(drawBlocks(trials[0]!.length, createRandom(1).next, 999))
  const verdict = createSearchVerdict(trials[0]!.length)
  for (const series of trials) {
    check.add(series)
    verdict.add(series)
  }
  return verdict.result(check.result(), earlier)
}

describe('the verdict on a search', () => {
  const trials = uniformTrials(2, 320, 10)
  const edge = trials.map((of, k) => (k === 3 ? of.map((x) => x + 0.01) : of))

  it('without an edge is that it cannot tell, with all three figures beside it', () => {
    const { code, realityCheck, deflatedSharpe, overfitting } = judged(trials)
    expect(code).toBe('cannot_tell')
    expect(realityCheck).toMatchObject({ trials: 10, best: 5 })
    expect(deflatedSharpe).toMatchObject({ trials: 10, best: 5 })
    expect(overfitting).toMatchObject({ trials: 10, failed: 8893 })
  })

  it('with an edge of a standard deviation a day is that the best is better than luck', () => {
    const { code, realityCheck, deflatedSharpe, overfitting, minTrackRecordDays } = judged(edge)
    expect([code, realityCheck.best, deflatedSharpe.best]).toEqual(['better_than_luck', 3, 3])
    expect(deflatedSharpe.probability).toBeGreaterThan(0.99)
    expect(overfitting!.probability).toBeLessThan(0.01)
    expect(minTrackRecordDays).toBeLessThan(320)
  })

  it.each([[[10]], [[3, 7]], [[1, 0, 4, 5]]])('is the same from parts of %j trials', (sizes) => {
    const parts = sizes.map((size, k) => {
      const from = sizes.slice(0, k).reduce((sum, before) => sum + before, 0)
      const part = createSearchVerdict(320)
      for (const series of edge.slice(from, from + size)) part.add(series)
      return part.told()
    })
    const joined = createSearchVerdict(320)
    for (const part of parts) joined.join(part)
    const whole = judged(edge, 4)
    const { deflatedSharpe, ...found } = joined.result(whole.realityCheck, 4)
    expect(found.overfitting).toEqual(whole.overfitting)
    for (const name of ['probability', 'expectedBest', 'effectiveTrials', 'meanCorrelation', 'trials', 'best'] as const)
      expect(deflatedSharpe[name]).toBeCloseTo(whole.deflatedSharpe[name], 11)
    expect(deflatedSharpe.moments).toEqual(whole.deflatedSharpe.moments)
  })

  it('has no probability of overfitting for one trial or fewer than 32 days', () => {
    expect(judged(uniformTrials(2, 320, 1)).overfitting).toBeNull()
    expect(judged(uniformTrials(2, 31, 10)).overfitting).toBeNull()
    expect(judged(uniformTrials(2, 32, 10)).overfitting).not.toBeNull()
  })
})
