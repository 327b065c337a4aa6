import { AppError } from '@shapecast/contracts/errors'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from './artifact.ts'
import { staticCorrections } from './conformal/correct-fan.ts'
import { INTERVALS, unpackScores } from './conformal/scores.ts'
import { featureNames } from './features/feature-columns.ts'
import { joinPredictions } from './forecast/join-predictions.ts'
import { historyCandles, type OpenedModel, predictRange } from './forecast/predict-range.ts'
import type { Predictions } from './forecast/predictions.ts'
import { harInputNames } from './har/har-inputs.ts'
import { openNetwork } from './runtime/run-network.ts'

export type { Predictions } from './forecast/predictions.ts'

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

const unfit = (reason: string): AppError => new AppError('unprocessable', `This model cannot predict here: ${reason}.`)

const fileOf = ({ files }: ModelArtifactFile, name: string): Uint8Array => {
  const file = files[name]
  if (file === undefined) throw unfit(`its file ${name} is missing`)
  return file
}

async function openModel(artifact: ModelArtifactFile): Promise<OpenedModel> {
  const { card } = artifact
  const { timeframe } = card.source
  const sameNames = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((x, i) => x === b[i])
  if (!sameNames(card.features.names, featureNames(timeframe)))
    throw unfit('its features are of another program version')
  if (!sameNames(card.har.inputs.names, harInputNames(timeframe)))
    throw unfit('its volatility inputs are of another program version')
  const earlierScores = unpackScores(fileOf(artifact, card.conformal.file), card.horizons * INTERVALS.length)
  const [lstmFile, transformerFile] = [
    fileOf(artifact, card.networks.lstm.file),
    fileOf(artifact, card.networks.transformer.file),
  ]
  const lstm = await openNetwork(lstmFile)
  const transformer = await openNetwork(transformerFile)
  return {
    parts: {
      timeframe,
      lookback: card.settings.lookback,
      signalHorizon: card.settings.signalHorizon,
      horizons: card.horizons,
      quantiles: card.quantiles,
      features: card.features,
      har: { standardisation: card.har.inputs, horizons: card.har.horizons },
      residualQuantiles: card.har.residualQuantiles,
      logistic: card.logistic,
      lstm,
      transformer,
    },
    judgement: {
      calibration: card.calibration,
      threshold: card.signal.threshold,
      roundTripCostBps: card.signal.roundTripCostBps,
    },
    fitted: card.ranges.train,
    earlierScores,
    fallback: staticCorrections(earlierScores, card.horizons),
  }
}

/** Opens an artifact's networks. Throws `unprocessable` where its files are missing or made for other inputs. */
export async function loadPredictor(artifact: ModelArtifactFile): Promise<Predictor> {
  const model = await openModel(artifact)
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
