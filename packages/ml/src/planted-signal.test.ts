import { describe, expect, it } from 'vitest'
import { judgePlanted, shareOfBest } from './testing/planted-market.ts'

// Small networks and few candles: the whole, with the recipe's own and twenty seeds, is `npm run study`.
const SMALL = { epochs: 3, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 12 }
const CANDLES = 2500

describe('a planted signal', () => {
  it.each([0.3, 0.5])(
    'momentum of %s: at least three quarters of the way to the best possible rule',
    async (momentum) => {
      const result = await judgePlanted({ candles: CANDLES, seed: 61, momentum, clusters: 0 }, SMALL)
      // The next return has the sign of the last with probability ½ + arcsin(momentum) / π: 0.597 and 0.667.
      expect(result.best).toBeCloseTo(0.5 + Math.asin(momentum) / Math.PI, 1)
      expect(shareOfBest(result)).toBeGreaterThanOrEqual(0.75)
      expect(result.interval[0]).toBeGreaterThan(0.5)
    },
  )

  it('none in random walks: ½ lies inside the interval, and the fan is no better than a constant one', async () => {
    const results = []
    for (const seed of [71, 72, 73, 74])
      results.push(await judgePlanted({ candles: CANDLES, seed, clusters: 0 }, SMALL))
    for (const { interval, test, coverage90 } of results) {
      expect(interval[0]).toBeLessThan(0.5)
      expect(interval[1]).toBeGreaterThan(0.5)
      expect(coverage90).toBeCloseTo(0.9, 1)
      expect(test.statistic > 0 || test.pValue > 0.05).toBe(true)
    }
  })

  it('volatility clusters: the fan is significantly better than a constant one', async () => {
    const { skillOverConstant, test } = await judgePlanted({ candles: CANDLES, seed: 81, clusters: 0.2 }, SMALL)
    expect(skillOverConstant).toBeGreaterThan(0.02)
    expect(test.interval[1]).toBeLessThan(0)
    expect(test.pValue).toBeLessThan(0.05)
  })
})
