import type { Evaluation } from '@shapecast/contracts/evaluation'
import { HORIZONS } from '@shapecast/contracts/training-candles'
import { evaluateModel } from '../evaluate/evaluate-model.ts'
import { fitBaselines } from '../evaluate/fan.ts'
import { finishForecast, rangeCorrections } from '../forecast/finish-forecast.ts'
import type { ModelParts } from '../forecast/model-parts.ts'
import { staticCorrections } from '../recipe/correct-fan.ts'
import { sliceScores } from '../recipe/scores.ts'
import { QUANTILES } from '../recipe/settings.ts'
import { type CalibratedForecast, type CalibrationInput, rowsBeforeHoldout } from './calibrate-parts.ts'

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
