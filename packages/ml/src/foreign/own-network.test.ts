import { expect, it } from 'vitest'
import { buildFeatureTable } from '../features/feature-table.ts'
import { standardise } from '../features/standardise.ts'
import { sigmoid } from '../recipe/logistic-regression.ts'
import { openNetwork, runNetwork } from '../runtime/run-network.ts'
import { SMALL_TRAINING, storedModel } from '../testing/stored-models.ts'
import { openForeignModel } from './foreign-model.ts'

it('a network that we trained, downloaded and uploaded again, says what it said', async () => {
  const { candles } = SMALL_TRAINING
  const { card, files } = (await storedModel(SMALL_TRAINING)).artifact
  const { lookback } = card.settings
  const { names, mean, sd } = card.features

  const network = await openNetwork(files['transformer.onnx']!)
  const matrix = standardise(buildFeatureTable(candles, '1h').features, card.features)
  const { upLogit } = await runNetwork(network, matrix, names.length, lookback, { from: 1500, to: 1600 })
  await network.close()

  const uploaded = await openForeignModel(
    files['transformer.onnx']!,
    {
      format: 'shapecast-foreign-model',
      formatVersion: 1,
      name: 'ours',
      timeframe: '1h',
      lookback,
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
