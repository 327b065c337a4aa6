import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { trainModel } from '@shapecast/ml/train-model'

/** 5,000 made-up hours and a model of the recipe's size on them. How fast it is does not depend on its weights: one epoch. */
export async function quickModel(lookback = 30) {
  const candles = generateCandles({ candles: 5000, seed: 41 })
  const { artifact } = await trainModel({
    candles,
    timeframe: '1h',
    settings: { epochs: 1, lookback },
    roundTripCostBps: 22,
    createdAtMs: 0,
    source: { venue: 'bench', symbol: 'GENERATED' },
  })
  return { candles, artifact }
}
