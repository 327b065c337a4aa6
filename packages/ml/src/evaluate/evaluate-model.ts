import type { Evaluation } from '@shapecast/contracts/evaluation'
import type { Candles } from '@shapecast/engine/candles'
import type { Predictions } from '../forecast/predictions.ts'
import { upLabels } from '../recipe/outcomes.ts'
import { logLoss } from '../recipe/shrinkage.ts'
import { accuracyReport } from './accuracy.ts'
import { correlation, rankCorrelation } from './correlation.ts'
import { type FanBaselines, fanReport } from './fan.ts'
import { effectiveOutcomes, Z95 } from './intervals.ts'
import { confusionOf, signalReturns, tradingReport } from './trading.ts'
import { uncertaintyOf } from './uncertainty.ts'

const BINS = 5

/** Mean squared distance of the probability from what happened (Brier, Monthly Weather Review 78, 1950). */
export function brierScore(p: ArrayLike<number>, labels: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < p.length; i++) sum += (p[i]! - labels[i]!) ** 2
  return sum / p.length
}

/**
 * Reliability diagram in bins of equal count: mean forecast, observed share, and the band in which 95 % of observed shares
 * of a perfectly reliable forecast would lie (Bröcker and Smith, Weather and Forecasting 22, 2007), by the normal
 * approximation over the effective outcomes.
 */
function reliability(p: Float64Array, labels: Float32Array, horizon: number): Evaluation['probability']['reliability'] {
  const order = Array.from(p.keys()).sort((a, b) => p[a]! - p[b]! || a - b)
  const bins = Math.min(BINS, order.length)
  return Array.from({ length: bins }, (_, bin) => {
    const members = order.slice(Math.floor((bin * order.length) / bins), Math.floor(((bin + 1) * order.length) / bins))
    const predicted = members.reduce((sum, i) => sum + p[i]!, 0) / members.length
    const observed = members.reduce((sum, i) => sum + labels[i]!, 0) / members.length
    const reach = Z95 * Math.sqrt((predicted * (1 - predicted)) / effectiveOutcomes(members.length, horizon))
    return {
      predicted,
      observed,
      outcomes: members.length,
      band: [Math.max(0, predicted - reach), Math.min(1, predicted + reach)],
    }
  })
}

/** Share of the baseline's loss that is saved; 0 where the baseline loses nothing. */
const skill = (loss: number, baseline: number): number => (baseline > 0 ? 1 - loss / baseline : 0)

/** Scores of the probabilities beside those of climatology; a skill is the share of the baseline's loss that is saved. */
export function probabilityReport(
  p: Float64Array,
  labels: Float32Array,
  climatology: number,
  horizon: number,
): Evaluation['probability'] {
  const constant = p.map(() => climatology)
  const [brier, loss] = [brierScore(p, labels), logLoss(p, labels)]
  return {
    climatology,
    brier,
    brierSkill: skill(brier, brierScore(constant, labels)),
    logLoss: loss,
    logLossSkill: skill(loss, logLoss(constant, labels)),
    reliability: reliability(p, labels, horizon),
  }
}

export interface EvaluationInput {
  candles: Candles
  /** Made by the finished model over the hold-out as if live. */
  predictions: Predictions
  /** Candles of the hold-out, within the predictions' range. */
  rows: Int32Array
  /** By horizon, log returns ahead of all candles. */
  returns: readonly Float64Array[]
  signalHorizon: number
  climatology: number
  majorityRises: boolean
  baselines: FanBaselines
  roundTripCostBps: number
}

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / Math.max(1, values.length)

/** Judges a model's predictions over the hold-out. Every figure's formula and source: docs/models.md. */
export function evaluateModel(input: EvaluationInput): Evaluation {
  const { candles, predictions, rows, returns, signalHorizon: horizon } = input
  const { close } = candles
  const ahead = returns[horizon - 1]!
  const p = (i: number): number => predictions.pUp[i - predictions.from]!
  const known = rows.filter((i) => !Number.isNaN(ahead[i]!) && !Number.isNaN(p(i)))
  const pick = (f: (i: number) => number): Float64Array => Float64Array.from(known, f)
  const [pUp, outcomes] = [pick(p), pick((i) => ahead[i]!)]
  const cell = predictions.horizons * predictions.quantiles.length
  const fan = new Float64Array(rows.length * cell)
  rows.forEach((i, k) => {
    const at = (i - predictions.from) * cell
    for (let c = 0; c < cell; c++) fan[k * cell + c] = Math.log(predictions.quantilePrices[at + c]! / close[i]!)
  })
  const fanByHorizon = fanReport(fan, rows, returns, predictions.quantiles, input.baselines)
  const first = rows[0] ?? candles.length - 1
  const labels = upLabels(outcomes)
  const traded = [
    predictions.signal.subarray(first - predictions.from),
    close.subarray(first),
    input.roundTripCostBps,
  ] as const
  return {
    horizon,
    accuracy: accuracyReport({
      pUp,
      returns: outcomes,
      before: pick((i) => Math.log(close[i]! / (close[i - horizon] ?? Number.NaN))),
      majorityRises: input.majorityRises,
      horizon,
    }),
    probability: probabilityReport(pUp, labels, input.climatology, horizon),
    fan: fanByHorizon,
    pinballSkillOverEwma: mean(fanByHorizon.map((row) => row.skillOverEwma)),
    pinballSkillOverHistorical: mean(fanByHorizon.map((row) => row.skillOverHistorical)),
    correlation: {
      ic: correlation(pUp, outcomes),
      rankIc: rankCorrelation(pUp, outcomes),
      interval95: Z95 / Math.sqrt(Math.max(1, effectiveOutcomes(known.length, horizon))),
    },
    confusion: confusionOf(
      Int8Array.from(known, (i) => predictions.signal[i - predictions.from]!),
      outcomes,
    ),
    trading: tradingReport(...traded),
    uncertainty: uncertaintyOf(
      { fan, rows, returns, quantiles: predictions.quantiles, baselines: input.baselines },
      { p: pUp, labels, climatology: input.climatology },
      { returns: signalReturns(...traded), stepMs: candles.ts[1]! - candles.ts[0]! },
    ),
  }
}
