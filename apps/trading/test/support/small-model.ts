import type { TrainParams } from '@shapecast/contracts/trainings'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { storedModel } from '@shapecast/ml/testing/stored-models'
import type { Database } from '@shapecast/platform/database/database'
import { INSTALLATION, insertArtifact } from '../../src/models/active-artifacts.ts'
import type { NewArtifact } from '../../src/models/artifact-rows.ts'
import { modelInput, newArtifact } from '../../src/models/train-artifact.ts'

/** Settings with which a training takes a second. */
export const QUICK = {
  epochs: 1,
  lstmHidden: 8,
  transformerWidth: 8,
  transformerLayers: 1,
  lookback: 8,
} as const satisfies TrainParams

/** What most models of tests are trained on; a test that has other candles may ask them about those too. */
export const MODEL_CANDLES = generateCandles({ candles: 1400, seed: 4 })

/** A real artifact of a version on the hourly candles of a symbol, of those that are stored for tests. */
export async function quickModel(
  version: string,
  symbol: string,
  candles: Candles,
  params: TrainParams = {},
): Promise<NewArtifact> {
  const series = { venue: 'replay', symbol, timeframe: '1h' }
  const input = { series, version, candles, params: { ...QUICK, ...params }, createdAtMs: 1 }
  return newArtifact(input, await storedModel(modelInput(input)))
}

/** Adds a stored model of the first `count` candles. Answers the artifact's id. */
export async function addQuickModel(
  db: Database,
  version: string,
  symbol: string,
  candles: Candles,
  params: TrainParams = {},
  count = candles.length,
): Promise<string> {
  const artifact = await quickModel(version, symbol, sliceCandles(candles, 0, count), params)
  return db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 1))
}
