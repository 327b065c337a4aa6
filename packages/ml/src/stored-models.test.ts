import { expect, it } from 'vitest'
import { loadPredictor } from './forecast/predict.ts'
import { SMALL_TRAINING, storedModel } from './testing/stored-models.ts'
import { type TrainedModel, trainModel } from './train-model.ts'

const rangeOf = ({ length }: { length: number }) => ({ from: length - 400, to: length })

async function forecastsOf({ artifact }: TrainedModel) {
  const predictor = await loadPredictor(artifact)
  const forecasts = await predictor.predict(SMALL_TRAINING.candles, rangeOf(SMALL_TRAINING.candles))
  await predictor.close()
  return forecasts
}

/** The largest difference of two columns, as a share of the larger value. */
const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]!) / Math.max(Math.abs(value), Math.abs(b[i]!), 1e-9)))

// Other processors add up in another order, which training makes larger: networks agree to a few digits, the rest to most.
it('training gives the stored model again', async () => {
  const stored = await storedModel(SMALL_TRAINING)
  const trained = await trainModel(SMALL_TRAINING)
  const [was, is] = [stored.artifact.card, trained.artifact.card]

  expect([is.engine, is.settings, is.data, is.ranges]).toEqual([was.engine, was.settings, was.data, was.ranges])
  expect(apart(is.logistic.weights, was.logistic.weights)).toBeLessThan(1e-9)
  for (const [h, { weights }] of is.har.horizons.entries())
    expect(apart(weights, was.har.horizons[h]!.weights)).toBeLessThan(1e-9)
  for (const [name, { bestEpoch, history }] of Object.entries(is.networks)) {
    expect(bestEpoch).toBe(was.networks[name]!.bestEpoch)
    for (const [epoch, { validationLoss }] of history.entries())
      expect(validationLoss).toBeCloseTo(was.networks[name]!.history[epoch]!.validationLoss!, 4)
  }
  expect(is.evaluation.accuracy.accuracy).toBeCloseTo(was.evaluation.accuracy.accuracy, 1)

  const [before, now] = [await forecastsOf(stored), await forecastsOf(trained)]
  expect(apart(now.pUp, before.pUp)).toBeLessThan(1e-3)
  expect(apart(now.quantilePrices, before.quantilePrices)).toBeLessThan(1e-4)
})
