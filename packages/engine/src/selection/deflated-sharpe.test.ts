import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { uniformTrials } from '../testing/search-series.ts'
import { createDeflatedSharpe, effectiveTrials, expectedBestSharpe } from './deflated-sharpe.ts'
import { minTrackRecord, probabilisticSharpe, sharpeMoments } from './sharpe.ts'

const deflated = (trials: readonly Float64Array[]) => {
  const search = createDeflatedSharpe(trials[0]!.length)
  for (const series of trials) search.add(series)
  return search.result()
}

describe('a Sharpe ratio', () => {
  const [series] = uniformTrials(1, 250, 1)
  const moments = sharpeMoments(series!)

  it('is 0.0143 a period for 250 stored returns, above 0 with 58.9%, and above 0.05 with 28.7%', () => {
    expect(series![0]).toBeCloseTo(-0.01577184935206168, 15)
    expect(moments.sharpe).toBeCloseTo(0.014312149001057988, 13)
    expect(probabilisticSharpe(moments, 0)).toBeCloseTo(0.5893608450115999, 12)
    expect(probabilisticSharpe(moments, 0.05)).toBeCloseTo(0.2866178600945746, 12)
  })

  it('so low takes 13,202 periods to tell from 0, and for ever to tell from a higher one', () => {
    expect(minTrackRecord(moments, 0) / 13202.309399015401).toBeCloseTo(1, 11)
    expect(minTrackRecord(moments, 0.05)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is 1.39 for 1, 2, 3 and 6, with a skewness of 0.68 and a kurtosis of 2.18', () => {
    const { sharpe, skewness, kurtosis } = sharpeMoments(Float64Array.of(1, 2, 3, 6))
    expect(sharpe).toBeCloseTo(3 / Math.sqrt(14 / 3), 14)
    expect(skewness).toBeCloseTo(18 / 4 / 3.5 ** 1.5, 14)
    expect(kurtosis).toBeCloseTo(98 / 4 / 3.5 ** 2, 14)
  })

  it('is 0 for constant returns', () => {
    for (const value of [0, 0.1, -3])
      expect(sharpeMoments(new Float64Array(9).fill(value))).toMatchObject({ sharpe: 0, deviation: 0, kurtosis: 3 })
  })
})

describe('the deflated Sharpe ratio', () => {
  const trials = uniformTrials(2, 320, 10)

  it('expects a Sharpe ratio of 0.1106 a period of the best of ten without an edge', () => {
    expect(expectedBestSharpe(10, 0.004936767828917683)).toBeCloseTo(0.11063464081961882, 12)
    expect(expectedBestSharpe(1, 0.1)).toBe(0)
  })

  it('gives the best of ten stored trials an even chance', () => {
    const { best, moments, trials: count } = deflated(trials)
    expect([best, count]).toEqual([5, 10])
    expect(probabilisticSharpe(moments, expectedBestSharpe(10, 0.004936767828917683))).toBeCloseTo(
      0.5083357308380565,
      12,
    )
  })

  it('takes ten trials that have half of each in common for 5.5', () => {
    const [common] = uniformTrials(7, 320, 1)
    const { meanCorrelation, effectiveTrials } = deflated(trials.map((of) => of.map((x, i) => x + common![i]!)))
    expect(meanCorrelation).toBeCloseTo(0.4968569657677807, 12)
    expect(effectiveTrials).toBeCloseTo(5.528287308089974, 11)
  })

  it('takes copies of one trial for one, and unrelated or opposite trials for as many as they are', () => {
    const copies = deflated(Array.from({ length: 20 }, () => trials[0]!))
    expect(copies.effectiveTrials).toBeCloseTo(1, 10)
    expect(copies.probability).toBeCloseTo(probabilisticSharpe(copies.moments, 0), 10)
    expect([effectiveTrials(10, 0), effectiveTrials(10, -0.1), effectiveTrials(10, 1)]).toEqual([10, 10, 1])
  })

  it('counts a trial that never trades as one that is like no other', () => {
    const { trials: count, meanCorrelation } = deflated([trials[0]!, trials[0]!, new Float64Array(320)])
    expect(count).toBe(3)
    expect(meanCorrelation).toBeCloseTo(1 / 3, 12)
  })

  it('stays the same in whatever order the trials come, and however much was at stake', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.01, max: 100, noNaN: true }), (seed, stake) => {
        const series = uniformTrials((Math.abs(seed) % 1e6) + 1, 60, 6)
        const first = deflated(series)
        const second = deflated(series.toReversed().map((of) => of.map((x) => stake * x)))
        expect(second.probability).toBeCloseTo(first.probability, 9)
        expect(second.best).toBe(5 - first.best)
      }),
      { numRuns: 50 },
    )
  })

  it('calls the best of 50 trials without an edge better than luck in at most 17 of 200 searches', () => {
    const random = createRandom(11)
    const search = () => Array.from({ length: 50 }, () => Float64Array.from({ length: 250 }, () => random.normal()))
    const called = Array.from({ length: 200 }, () => deflated(search()).probability >= 0.95)
    expect(called.filter(Boolean).length).toBeLessThanOrEqual(17)
  })

  it('refuses a trial of other periods, and a search of none', () => {
    expect(() => createDeflatedSharpe(3).add(new Float64Array(4))).toThrow('A trial has 4 rows, the others have 3.')
    expect(() => createDeflatedSharpe(3).result()).toThrow(RangeError)
  })
})
