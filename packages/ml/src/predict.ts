import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from './artifact.ts'
import { joinPredictions } from './forecast/join-predictions.ts'
import { openParts } from './forecast/open-parts.ts'
import { historyCandles, predictRange } from './forecast/predict-range.ts'
import type { Predictions } from './forecast/predictions.ts'

export { type Predictions, reasonFor } from './forecast/predictions.ts'

export interface Predictor {
  readonly artifact: ModelArtifactFile
  /** With at least this many candles before a range its forecasts do not depend, to the bit, on where the candles begin. */
  readonly historyCandles: number
  /** Forecasts for the range (all candles where none is given). Looks at no candle after the one a forecast is for. */
  predict(candles: Candles, range?: { from: number; to: number }): Promise<Predictions>
  /** Frees the networks' memory. */
  close(): Promise<void>
}

/** Candles that are predicted at a time: bounds the memory of a prediction over years of minutes. */
const CHUNK_CANDLES = 20_000

/** Opens an artifact's networks. Throws `unprocessable` where its files are missing or made for other inputs. */
export async function loadPredictor(artifact: ModelArtifactFile): Promise<Predictor> {
  const model = await openParts(artifact)
  const history = historyCandles(model.parts)
  return {
    artifact,
    historyCandles: history,
    async predict(candles, range = { from: 0, to: candles.length }) {
      const { from, to } = range
      if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || from > to || to > candles.length)
        throw new RangeError(`The range ${from} … ${to} does not lie within the ${candles.length} candles.`)
      const chunks: { predictions: Predictions; offset: number }[] = []
      for (let at = from; at < to || chunks.length === 0; at += CHUNK_CANDLES) {
        const offset = Math.max(0, at - history)
        const part = sliceCandles(candles, offset, Math.min(to, at + CHUNK_CANDLES))
        chunks.push({ predictions: await predictRange(model, part, at - offset), offset })
      }
      return joinPredictions(chunks, from, to)
    },
    async close() {
      await Promise.all([model.parts.lstm.close(), model.parts.transformer.close()])
    },
  }
}
