import { describe, expect, it } from 'vitest'
import { createRandom } from './random.ts'
import { bootstrapEquity, bootstrapProfitFactor, bootstrapSums } from './robustness.ts'

const results = (count: number, of: (k: number) => number) => Float64Array.from({ length: count }, (_, k) => of(k))

describe('bootstrap of a profit factor', () => {
  it('of trades that all win has none', () =>
    expect(
      bootstrapProfitFactor(
        results(4, () => 3),
        1,
      ),
    ).toBeNull())
  it('of three that win and one that loses has no high end: a third of the draws holds none that loses', () =>
    expect(bootstrapProfitFactor(Float64Array.of(3, 3, 3, -3), 1)).toEqual([expect.closeTo(1 / 3, 9), null]))
  it('+1 and −1 in equal parts: of 100 drawn 40 to 60 win, which is 40/60 to 60/40', () => {
    const [low, high] = bootstrapProfitFactor(
      results(100, (k) => (k % 2 ? 1 : -1)),
      7,
    )!
    expect(low).toBeCloseTo(40 / 60, 1)
    expect(Math.abs(high! - 60 / 40)).toBeLessThan(0.1)
  })
  it('covers the true one of normal trades of mean ½, which is 0.698 / 0.198 = 3.53, nine times in ten and more', () => {
    const random = createRandom(4)
    let covered = 0
    for (let run = 0; run < 200; run++) {
      const [low, high] = bootstrapProfitFactor(
        results(60, () => 0.5 + random.normal()),
        run,
      )!
      if (low <= 3.53 && (high === null || high >= 3.53)) covered++
    }
    expect(covered).toBeGreaterThan(175)
    expect(covered).toBeLessThan(200)
  })
  it('of more than 1,000 trades draws neighbours together: pairs of +2 and −1 can only come to 2', () =>
    expect(
      bootstrapProfitFactor(
        results(2000, (k) => (k % 2 ? 2 : -1)),
        1,
      ),
    ).toEqual([2, 2]))
  it('the same seed gives the same range, another one another', () => {
    const odd = Float64Array.of(1.17, -2.31, 3.53, -4.07, 5.91, 0.77, -1.13)
    expect(bootstrapProfitFactor(odd, 1)).toEqual(bootstrapProfitFactor(odd, 1))
    expect(bootstrapProfitFactor(odd, 1)).not.toEqual(bootstrapProfitFactor(odd, 2))
  })
  it('one trade says nothing', () => expect(bootstrapProfitFactor(Float64Array.of(1), 1)).toBeNull())
})

describe('bootstrap of an equity curve', () => {
  it('that grows by 1 ‰ every candle can only end where it ended: 1.001^100 − 1 = 10.51 %', () => {
    const { totalReturnPct } = bootstrapEquity(new Float64Array(100).fill(0.001), 1)!
    expect(totalReturnPct[0]).toBeCloseTo(10.512, 2)
    expect(totalReturnPct[1]).toBeCloseTo(10.512, 2)
  })
  it('of pure chance holds 0, about 1.96 deviations to either side', () => {
    const random = createRandom(3)
    const changes = Float64Array.from({ length: 2400 }, () => 0.01 * random.normal())
    const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
    const { ratio } = bootstrapEquity(changes, 1)!
    expect(ratio[0]).toBeLessThan(mean / 0.01)
    expect(ratio[1]).toBeGreaterThan(mean / 0.01)
    expect(ratio[1] - ratio[0]).toBeGreaterThan(0.06)
    expect(ratio[1] - ratio[0]).toBeLessThan(0.1)
  })
  it('of less than two days, or in which all was lost, says nothing', () => {
    expect(bootstrapEquity(new Float64Array(47), 1)).toBeNull()
    expect(
      bootstrapEquity(
        Float64Array.from({ length: 100 }, (_, i) => (i === 50 ? -1 : 0)),
        1,
      ),
    ).toBeNull()
  })
})

describe('bootstrap of a figure made of sums', () => {
  it('of a column of ones is its length in every draw', () =>
    expect(bootstrapSums([new Float64Array(100).fill(1)], ([sum]) => sum!, 1)).toEqual([
      expect.closeTo(100, 9),
      expect.closeTo(100, 9),
    ]))
  it('of a share of loss saved that is the same everywhere is that share: 1 − 3 / 4', () => {
    const random = createRandom(5)
    const baseline = Float64Array.from({ length: 400 }, () => 1 + random.next())
    const model = baseline.map((loss) => 0.75 * loss)
    const found = bootstrapSums([model, baseline], ([m, b]) => 1 - m! / b!, 1)
    expect(found).toEqual([expect.closeTo(0.25, 9), expect.closeTo(0.25, 9)])
  })
  it('of a mean of pure chance is about 1.96 deviations to either side', () => {
    const random = createRandom(3)
    const noise = Float64Array.from({ length: 2400 }, () => random.normal())
    const [low, high] = bootstrapSums([noise], ([sum]) => sum! / 2400, 1)!
    expect(high - low).toBeGreaterThan(0.06)
    expect(high - low).toBeLessThan(0.1)
  })
  it('of fewer than 48 candles, or where a draw has no figure, says nothing', () => {
    expect(bootstrapSums([new Float64Array(47)], ([sum]) => sum!, 1)).toBeNull()
    expect(bootstrapSums([new Float64Array(100)], ([sum]) => 1 / sum!, 1)).toBeNull()
  })
})
