import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import type { Candles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { changedFrom } from '../testing/altered-candles.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { type TrainedModel, trainModel } from '../train-model.ts'

const HOUR = 3_600_000
const candles = generateCandles({ candles: 1300, seed: 14 })
const FIRST_HELD_OUT = candles.length - HOLDOUT_CANDLES

const train = (given: Candles): Promise<TrainedModel> =>
  trainModel({
    candles: given,
    timeframe: '1h',
    settings: { epochs: 2, patience: 1, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: 8 },
    roundTripCostBps: 22,
    createdAtMs: 0,
    source: { venue: 'generated', symbol: 'TESTUSDT' },
  })

describe('what is learnt', () => {
  it('is the same, to the bit, whatever the held-out candles are: weights, scales, calibration and threshold', async () => {
    const [{ artifact: one }, { artifact: other }] = [
      await train(candles),
      await train(changedFrom(candles, FIRST_HELD_OUT)),
    ]
    for (const part of ['features', 'har', 'logistic', 'networks', 'calibration', 'signal', 'ranges'] as const)
      expect(other.card[part], part).toEqual(one.card[part])
    for (const file of ['lstm.onnx', 'transformer.onnx'])
      expect(Buffer.compare(other.files[file]!, one.files[file]!), file).toBe(0)
    // It is not blind either: what they are judged by is another market.
    expect(other.card.evaluation.accuracy).not.toEqual(one.card.evaluation.accuracy)
    // One candle earlier it is the last outcome that calibration looked at.
    const { artifact: earlier } = await train(changedFrom(candles, FIRST_HELD_OUT - 1))
    expect(earlier.card.networks).not.toEqual(one.card.networks)
  })

  it('before validation, scales, volatility and direction, does not know the candles of validation', async () => {
    const { artifact: one } = await train(candles)
    const first = (one.card.ranges.validation.from - candles.ts[0]!) / HOUR
    const { artifact: other } = await train(changedFrom(candles, first))
    for (const part of ['features', 'har', 'logistic'] as const) expect(other.card[part], part).toEqual(one.card[part])
    expect(other.card.calibration).not.toEqual(one.card.calibration)
  })
})
