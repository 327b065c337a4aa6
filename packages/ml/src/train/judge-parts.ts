import type { Evaluation } from '@shapecast/contracts/evaluation'
import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { Candles } from '@shapecast/engine/candles'
import { evaluateModel } from '../evaluate/evaluate-model.ts'
import { fitBaselines } from '../evaluate/fan.ts'
import { finishForecast, rangeCorrections, scoreForecast } from '../forecast/finish-forecast.ts'
import type { Judgement, ModelParts } from '../forecast/model-parts.ts'
import { layVolatility, type RawForecast, runParts } from '../forecast/raw-forecast.ts'
import { staticCorrections } from '../recipe/correct-fan.ts'
import { confidentThreshold } from '../recipe/decide-signal.ts'
import type { TrainingData, VolatilityFit } from '../recipe/prepare-data.ts'
import { type ScoreTable, sliceScores } from '../recipe/scores.ts'
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

/** Judges the calibrated parts on the hold-out, as if each of its candles had been forecast live. */
export function evaluateParts(parts: ModelParts, input: CalibrationInput, calibrated: CalibratedForecast): Evaluation {
  const { candles, settings, volatility, roundTripCostBps } = input
  const { table, outcomes, split } = input.data
  const { judgement, climatology, raw, scores } = calibrated
  const firstJudged = split.holdout[0]!
  const corrections = rangeCorrections({
    timeframe: parts.timeframe,
    candles,
    scores,
    earlierScores: sliceScores(scores, 0, 0),
    fallback: staticCorrections(sliceScores(scores, 0, firstJudged - HORIZONS - raw.from), HORIZONS),
    from: firstJudged,
    to: candles.length,
  })
  return evaluateModel({
    candles,
    predictions: finishForecast({
      parts,
      judgement,
      candles,
      table,
      sigma: volatility.sigma,
      raw,
      corrections,
      from: firstJudged,
    }),
    rows: split.holdout,
    returns: outcomes.returns,
    signalHorizon: settings.signalHorizon,
    climatology,
    majorityRises: climatology >= 0.5,
    baselines: fitBaselines(outcomes.returns, table.sigma, rowsBeforeHoldout(input.data), QUANTILES),
    roundTripCostBps,
  })
}
