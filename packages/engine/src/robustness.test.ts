import { describe, expect, it } from 'vitest'
import { createRandom } from './random.ts'
import { bootstrapEquity, bootstrapSums, bootstrapTrades } from './robustness.ts'

const trades = (...results: number[]) => results.map((netPnL) => ({ netPnL }))

describe('bootstrap of trades', () => {
  it('trades that all win 3 can only give 3 a trade, and never a loss', () =>
    expect(bootstrapTrades(trades(3, 3, 3, 3), 1)).toEqual({
      draws: 2000,
      avgTradePnL: [3, 3],
      netPnL: [12, 12],
      profitFactor: [null, null],
      lossRatio: 0,
    }))
  it('+1 and −1 in equal parts: of 100 drawn, 90 % of the totals lie within about ±1.645 × 10', () => {
    const even = trades(...Array.from({ length: 100 }, (_, i) => (i % 2 ? 1 : -1)))
    const { netPnL, lossRatio } = bootstrapTrades(even, 7, { draws: 20_000 })!
    expect(Math.abs(netPnL[0] + 16.45)).toBeLessThanOrEqual(1.6)
    expect(Math.abs(netPnL[1] - 16.45)).toBeLessThanOrEqual(1.6)
    // Half of the totals that are not exactly 0, which is about 8 % of them.
    expect(Math.abs(lossRatio - 0.46)).toBeLessThan(0.02)
  })
  it('covers the true average of normal trades about nine times in ten', () => {
    const random = createRandom(4)
    let covered = 0
    for (let run = 0; run < 200; run++) {
      const sample = trades(...Array.from({ length: 50 }, () => 0.5 + random.normal()))
      const [low, high] = bootstrapTrades(sample, run, { draws: 500 })!.avgTradePnL
      if (low <= 0.5 && high >= 0.5) covered++
    }
    expect(covered).toBeGreaterThan(165)
    expect(covered).toBeLessThan(195)
  })
  it('the same seed gives the same range, another one another', () => {
    const some = trades(1, -2, 3, -4, 5)
    expect(bootstrapTrades(some, 1)).toEqual(bootstrapTrades(some, 1))
    const odd = trades(1.17, -2.31, 3.53, -4.07, 5.91, 0.77, -1.13)
    expect(bootstrapTrades(odd, 1)).not.toEqual(bootstrapTrades(odd, 2))
  })
  it('one trade says nothing', () => expect(bootstrapTrades(trades(1), 1)).toBeNull())
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
