import { appendFileSync } from 'node:fs'
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { it } from 'vitest'
import { openPredictor } from '../src/models/open-predictor.ts'
import { trainQuickly } from './support/small-model.ts'
it('x', async () => {
  for (const cs of [3, 5]) {
    const BTC = generateCandles({ candles: 2000, seed: cs, clusters: 0.3 })
    for (const extra of [{}, { learningRate: 0.01 }, { epochs: 3, learningRate: 0.005 }]) for (const seed of [1, 2, 3]) {
      const a = await trainQuickly('v3', 'BTCUSDT', sliceCandles(BTC, 0, 1400), { seed, signalThreshold: 0, ...extra } as never)
      const p = await openPredictor(a)
      const said = await p.predict(BTC, { from: 1380, to: 1500 })
      appendFileSync('/tmp/s2-signals.txt', [cs, JSON.stringify(extra), seed, [...said.pUp].map((s) => (s > 0.5 ? '+' : s < 0.5 ? '-' : '0')).join(''), said.pUp[0], said.pUp[50]].join(' ') + '\n')
      await p.close()
    }
  }
})
