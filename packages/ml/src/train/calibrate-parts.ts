import type { Candles } from '@shapecast/engine/candles'
import { scoreForecast } from '../forecast/finish-forecast.ts'
import type { Judgement, ModelParts } from '../forecast/model-parts.ts'
import { layVolatility, type RawForecast, runParts } from '../forecast/raw-forecast.ts'
import { confidentThreshold } from '../recipe/decide-signal.ts'
import type { TrainingData, VolatilityFit } from '../recipe/prepare-data.ts'
import type { ScoreTable } from '../recipe/scores.ts'
import { QUANTILES, type TrainSettings } from '../recipe/settings.ts'
import { calibrate, climatologyOf, fitShrinkage } from '../recipe/shrinkage.ts'

export interface CalibrationInput {
  candles: Candles
  settings: TrainSettings
  data: TrainingData
  volatility: VolatilityFit
  roundTripCostBps: number
}

/** How the parts' forecasts are read, and the forecasts of all candles after those that were fitted. */
export interface CalibratedForecast {
  judgement: Judgement
  /** Share of ups before the hold-out. */
  climatology: number
  raw: RawForecast
  scores: ScoreTable
}

/** Calibrates P(up) on the validation rows, and takes the signal's threshold from them where none is set. */
export async function calibrateParts(parts: ModelParts, input: CalibrationInput): Promise<CalibratedForecast> {
  const { candles, settings, volatility, roundTripCostBps } = input
  const { table, matrix, outcomes, split, up } = input.data
  const lastFitted = split.train[split.train.length - 1]!
  const scaled = await runParts(parts, table, matrix, lastFitted + 1, candles.length)
  const raw = layVolatility(parts, scaled, volatility.sigma)
  const validation = Float64Array.from(split.validation, (i) => raw.pUp[i - raw.from]!)
  const climatology = climatologyOf(up, rowsBeforeHoldout(input.data))
  const labels = Float32Array.from(split.validation, (i) => up[i]!)
  const calibration = fitShrinkage(validation, labels, climatology)
  const fitted = { from: candles.ts[split.train[0]!]!, to: candles.ts[lastFitted]! }
  return {
    judgement: {
      calibration,
      threshold: settings.signalThreshold ?? confidentThreshold(validation.map((p) => calibrate(calibration, p))),
      roundTripCostBps,
    },
    climatology,
    raw,
    scores: scoreForecast(raw, candles, outcomes.returns, fitted, QUANTILES.length),
  }
}

/** The rows that a model was fitted or tuned on. */
export const rowsBeforeHoldout = ({ split }: TrainingData): Int32Array =>
  Int32Array.from([...split.train, ...split.validation])
