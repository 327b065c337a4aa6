import { createRandom } from '@shapecast/engine/random'
import { expect, it } from 'vitest'
import { generateCandles } from '../generated-candles.ts'
import type { AuditedPipeline } from './audited-pipeline.ts'
import { checkSkill } from './skill-checks.ts'

it.each([
  // 0.1 above ½ is 2 × 0.1 × √100 standard errors; of outcomes that overlap by 4, √25.
  // Left out are an outcome for every candle ahead that reaches over the hole, and the flat one.
  [1, '2.0', 102],
  [4, '1.0', 104],
])('60 right of 100 outcomes over %i candles are %s standard errors above chance', async (horizon, errors, judged) => {
  const candles = generateCandles({ candles: 230, seed: 3 })
  // One candle flat (over four of them the price has moved nevertheless), and one missing.
  candles.close[120] = candles.close[119]!
  for (let i = 150; i < 230; i++) candles.ts[i]! += 3_600_000
  const pipeline: AuditedPipeline = {
    timeframeMs: 3_600_000,
    signalHorizon: horizon,
    historyCandles: 0,
    tolerance: 0,
    inputs: () => ({}),
    forecasts: async () => ({}),
    async retrain({ close, ts }, outcomeOf) {
      const rows = Int32Array.from({ length: judged }, (_, k) => 100 + k)
      let known = 0
      const pUp = Float64Array.from(rows, (row) => {
        const j = outcomeOf[row]!
        const r = Math.log(close[j + horizon]! / close[j]!)
        if (r === 0 || ts[j + horizon]! - ts[j]! > horizon * 3_600_000) return 0.9
        return known++ < 60 === r > 0 ? 0.9 : 0.1
      })
      return { rows, pUp, expectedMove: Float64Array.from(rows) }
    },
  }
  const [shifted] = await checkSkill(pipeline, candles, createRandom(1))
  expect(shifted!.detail).toContain(`Its own outcome: 60.0% right (60 of 100, ${errors} standard errors above chance)`)
})
