import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { Candles } from '@shapecast/engine/candles'
import type { Beside } from '../forecast/beside-series.ts'
import type { Predictor } from '../forecast/predict.ts'
import { takeApart } from '../forecast/take-apart.ts'
import type { ForeignModel } from '../foreign/foreign-model.ts'
import { type ImportanceOptions, measureImportance } from './measure-importance.ts'

/**
 * What a model looks at, by shuffling its inputs on candles that it has not learnt from: the hold-out of an artifact of ours,
 * the newest 400 for one that was made elsewhere. `candles` are of its series and hold these and, best, as many before
 * as its `historyCandles`. Takes a few seconds of one processor. The same model, candles and seed give the same figures.
 * Throws `too_few_candles`, `unprocessable` where the model cannot be run, and the signal's reason where it is aborted.
 */
export async function permutationImportance(
  model: Predictor | ForeignModel,
  candles: Candles,
  { beside, ...options }: ImportanceOptions & { beside?: Beside } = {},
): Promise<FeatureImportance> {
  const apart = 'artifact' in model ? await takeApart(model.artifact, candles) : await model.takeApart(candles, beside)
  try {
    return await measureImportance(apart, options)
  } finally {
    await apart.close()
  }
}
