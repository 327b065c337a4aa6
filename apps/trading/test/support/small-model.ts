import type { TrainParams } from '@shapecast/contracts/trainings'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { INSTALLATION, insertArtifact } from '../../src/models/active-artifacts.ts'
import type { NewArtifact } from '../../src/models/artifact-rows.ts'
import { trainArtifact } from '../../src/models/train-artifact.ts'

/** Settings with which a training takes a second. */
export const QUICK = {
  epochs: 1,
  lstmHidden: 8,
  transformerWidth: 8,
  transformerLayers: 1,
  lookback: 8,
} as const satisfies TrainParams

/** A real artifact of a version on the hourly candles of a symbol, trained in about a second. */
export const trainQuickly = (
  version: string,
  symbol: string,
  candles: Candles,
  params: TrainParams = {},
): Promise<NewArtifact> =>
  trainArtifact({
    series: { venue: 'replay', symbol, timeframe: '1h' },
    version,
    candles,
    params: { ...QUICK, ...params },
    createdAtMs: 1,
  })

/** Trains quickly on the first `count` candles and stores it. Answers the artifact's id. */
export async function addQuickModel(
  db: Database,
  version: string,
  symbol: string,
  candles: Candles,
  params: TrainParams = {},
  count = candles.length,
): Promise<string> {
  const artifact = await trainQuickly(version, symbol, sliceCandles(candles, 0, count), params)
  return db.orm.transaction((tx) => insertArtifact(tx, artifact, INSTALLATION, 1))
}
