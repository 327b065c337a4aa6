import { describe, expect, it } from 'vitest'
import { createRandom } from './random.ts'
import { bootstrapTrades } from './robustness.ts'

const trades = (...results: number[]) => results.map((netPnL) => ({ netPnL }))

describe('bootstrap of trades', () => {
  it('trades that all win 3 can only give 3 a trade, and never a loss', () =>
    expect(bootstrapTrades(trades(3, 3, 3, 3), 1)).toEqual({
      draws: 2000,
      avgTradePnL: [3, 3],
      netPnL: [12, 12],
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
