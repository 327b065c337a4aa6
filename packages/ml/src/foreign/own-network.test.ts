import { expect, it } from 'vitest'
import { buildFeatureTable } from '../features/feature-table.ts'
import { standardise } from '../features/standardise.ts'
import { sigmoid } from '../recipe/logistic-regression.ts'
import { openNetwork, runNetwork } from '../runtime/run-network.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { trainModel } from '../train-model.ts'
import { openForeignModel } from './foreign-model.ts'

it('a network that we trained, downloaded and uploaded again, says what it said', async () => {
  const candles = generateCandles({ candles: 1600, seed: 91 })
  const settings = { epochs: 2, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 12 }
  const source = { venue: 'generated', symbol: 'TESTUSDT' }
  const training = { candles, timeframe: '1h', settings, roundTripCostBps: 22, createdAtMs: 0, source } as const
  const { card, files } = (await trainModel(training)).artifact
  const { names, mean, sd } = card.features

  const network = await openNetwork(files['transformer.onnx']!)
  const matrix = standardise(buildFeatureTable(candles, '1h').features, card.features)
  const { upLogit } = await runNetwork(network, matrix, names.length, 12, { from: 1500, to: 1600 })
  await network.close()

  const uploaded = await openForeignModel(
    files['transformer.onnx']!,
    {
      format: 'shapecast-foreign-model',
      formatVersion: 1,
      name: 'ours',
      timeframe: '1h',
      lookback: 12,
      inputs: names.map((name, c) => ({ name, mean: mean[c]!, sd: sd[c]! })),
      clip: 5,
    },
    { roundTripCostBps: 22 },
  )
  const { pUp } = await uploaded.predict(candles, { from: 1500, to: 1600 })
  uploaded.close()
  pUp.forEach((p, k) => {
    expect(p).toBeCloseTo(sigmoid(upLogit[k]!), 5)
  })
})
