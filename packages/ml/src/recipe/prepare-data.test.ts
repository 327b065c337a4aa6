import { expect, it } from 'vitest'
import { generateCandles } from '../testing/generated-candles.ts'
import { fitVolatility, prepareData } from './prepare-data.ts'
import { completeSettings, QUANTILES } from './settings.ts'

it('the residual quantiles of each horizon have their share of its own training outcomes below them', () => {
  const data = prepareData(generateCandles({ candles: 1500, seed: 6 }), '1h', completeSettings({}))
  const { residualQuantiles, sigma } = fitVolatility(data, 30)
  const rows = Array.from(data.split.train)
  for (const h of [0, 3, 7])
    for (const [q, share] of QUANTILES.entries()) {
      const below = rows.filter((i) => data.outcomes.returns[h]![i]! / sigma[h]![i]! <= residualQuantiles[h]![q]!)
      expect(Math.abs(below.length - share * rows.length), `${h + 1} ahead, ${share}`).toBeLessThan(1.5)
    }
})
