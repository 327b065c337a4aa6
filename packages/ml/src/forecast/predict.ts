import type { Candles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from '../artifact/artifact.ts'
import { closeNetworks } from '../runtime/run-network.ts'
import { openParts } from './open-parts.ts'
import { predictInChunks } from './predict-in-chunks.ts'
import { historyCandles, predictRange } from './predict-range.ts'
import type { Predictions } from './predictions.ts'

export interface Predictor {
  readonly artifact: ModelArtifactFile
  /** With at least this many candles before a range its forecasts do not depend, to the bit, on where the candles begin. */
  readonly historyCandles: number
  /** Forecasts for the range (all candles where none is given). Looks at no candle after the one a forecast is for. */
  predict(candles: Candles, range?: { from: number; to: number }): Promise<Predictions>
  /** Frees the networks' memory. */
  close(): Promise<void>
}

/** Opens an artifact's networks. Throws `unprocessable` where its files are missing or made for other inputs. */
export async function loadPredictor(artifact: ModelArtifactFile): Promise<Predictor> {
  const model = await openParts(artifact)
  const history = historyCandles(model.parts)
  return {
    artifact,
    historyCandles: history,
    predict: (candles, range) =>
      predictInChunks(candles, history, (chunk, from) => predictRange(model, chunk, from), range),
    async close() {
      await closeNetworks(model.parts.networks)
    },
  }
}
