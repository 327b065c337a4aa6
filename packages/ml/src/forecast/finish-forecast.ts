import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { FeatureTable } from '../features/feature-table.ts'
import { fanCorrections, widenFan } from '../recipe/correct-fan.ts'
import { edgeBps, expectedMoveBps, signalFor, stopLossPrice } from '../recipe/decide-signal.ts'
import { conformalScores, joinScores, type ScoreTable } from '../recipe/scores.ts'
import { calibrate } from '../recipe/shrinkage.ts'
import type { Judgement, ModelParts } from './model-parts.ts'
import type { Predictions } from './predictions.ts'
import type { RawForecast } from './raw-forecast.ts'

/** Open times in ms between which the networks were fitted; scores of those candles are no outcomes of forecasts. */
export interface FittedRange {
  from: number
  to: number
}

/** The scores of a raw forecast's rows, NaN where the outcome is unknown or the row was fitted to. */
export function scoreForecast(
  raw: RawForecast,
  candles: Candles,
  returns: readonly Float64Array[],
  fitted: FittedRange,
  width: number,
): ScoreTable {
  const rows = raw.to - raw.from
  const scores = conformalScores(raw.quantiles, returns, raw.from, rows, width)
  const ts = candles.ts.slice(raw.from, raw.to)
  const columns = scores.length / rows
  for (let i = 0; i < rows; i++)
    if (ts[i]! >= fitted.from && ts[i]! <= fitted.to) scores.fill(Number.NaN, i * columns, (i + 1) * columns)
  return { ts, scores }
}

export interface FinishInput {
  parts: Pick<ModelParts, 'horizons' | 'quantiles' | 'signalHorizon'>
  judgement: Judgement
  candles: Candles
  table: FeatureTable
  /** By horizon, of all candles. */
  sigma: readonly Float64Array[]
  /** Forecasts of the range, and maybe of candles before it. */
  raw: RawForecast
  /** Of the range's fan, [rows × horizons × intervals]. */
  corrections: Float64Array
  /** First candle of the range; it ends where `raw` ends. */
  from: number
}

export interface CorrectionInput {
  timeframe: Timeframe
  candles: Candles
  /** The scores of candles before the range and in it, and those that came with the model. */
  scores: ScoreTable
  earlierScores: ScoreTable
  /** Corrections where too few scores are known. */
  fallback: readonly number[]
  /** The range: candles `from` … `to`−1. */
  from: number
  to: number
}

/** How the fan of a range is corrected by what was known at each of its candles. */
export function rangeCorrections(input: CorrectionInput): Float64Array {
  const { candles, scores, earlierScores, fallback, from, to } = input
  const known = joinScores(earlierScores, scores)
  return fanCorrections(candles.ts.subarray(from, to), known, fallback, TIMEFRAME_MS[input.timeframe])
}

/** Prices of the corrected fan for the range, [rows × horizons × quantiles]. */
function fanPrices({ parts, candles, raw, corrections, from }: FinishInput): Float64Array {
  const cell = parts.horizons * parts.quantiles.length
  const fan = raw.quantiles.slice((from - raw.from) * cell)
  widenFan(fan, corrections)
  for (let k = 0; k < fan.length; k++) fan[k] = candles.close[from + Math.floor(k / cell)]! * Math.exp(fan[k]!)
  return fan
}

/** Turns raw forecasts into what people and bots read: calibrated, corrected, priced, with a signal and its reason. */
export function finishForecast(input: FinishInput): Predictions {
  const { parts, judgement, candles, table, sigma, raw, from } = input
  const { to } = raw
  const rows = to - from
  const skip = from - raw.from
  const width = parts.quantiles.length
  const cell = parts.horizons * width
  const quantilePrices = fanPrices(input)
  const column = (f: (k: number, i: number) => number): Float64Array => {
    const out = new Float64Array(rows)
    for (let k = 0; k < rows; k++) out[k] = f(k, from + k)
    return out
  }
  const pUp = column((k) => calibrate(judgement.calibration, raw.pUp[skip + k]!))
  const confidence = pUp.map((p) => Math.max(p, 1 - p))
  const signalSigma = sigma[parts.signalHorizon - 1]!
  const moves = column((k, i) => (Number.isNaN(pUp[k]!) ? Number.NaN : expectedMoveBps(signalSigma[i]!)))
  const edges = column((k) => edgeBps(confidence[k]!, moves[k]!, judgement.roundTripCostBps))
  const outer = (k: number, q: number): number => quantilePrices[k * cell + cell - width + q]!
  const signal = Int8Array.from(pUp, (p) => signalFor(p, judgement.threshold))
  return {
    from,
    to,
    pUp,
    signal,
    confidence,
    medians: Object.fromEntries(
      Object.entries(raw.medians).map(([name, median]) => [
        name,
        column((k, i) => candles.close[i]! * Math.exp(median[skip + k]!)),
      ]),
    ),
    edgeBps: edges,
    expectedMoveBps: moves,
    stopLoss: column((k, i) =>
      Number.isNaN(pUp[k]!)
        ? Number.NaN
        : stopLossPrice(pUp[k]! >= 0.5, candles.close[i]!, table.atr[i]!, outer(k, 0), outer(k, width - 1)),
    ),
    quantilePrices,
    horizons: parts.horizons,
    quantiles: parts.quantiles,
    signalHorizon: parts.signalHorizon,
    threshold: judgement.threshold,
    roundTripCostBps: judgement.roundTripCostBps,
  }
}
