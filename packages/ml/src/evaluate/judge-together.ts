import type { Candles } from '@shapecast/engine/candles'
import type { Predictions } from '../forecast/predictions.ts'
import { pinballLoss } from './fan.ts'

/** What several models made of the same outcomes, candle by candle, oldest first. */
export interface SharedOutcomes {
  /** Candles (indices) whose outcome at the horizon is known and that every model forecast. */
  rows: Int32Array
  /** Log returns over the horizon, and 1 up, 0 down, ½ flat, by row. */
  returns: Float64Array
  labels: Float32Array
  models: ModelLosses[]
}

export interface ModelLosses {
  /** By row. */
  pUp: Float64Array
  logLoss: Float64Array
  brier: Float64Array
  /** Mean over quantiles and known horizons of the pinball loss of log returns, in bps. */
  pinballBps: Float64Array
  signal: Int8Array
  confidence: Float64Array
  /** By horizon from 1: rows whose outcome is known, and those whose outcome lay between the outer quantiles. */
  fan: { outcomes: number; covered: number }[]
}

const EDGE = 1e-6

/** −log of the probability given to what happened; a label of ½ counts half each way. */
export function logLossOf(p: number, label: number): number {
  const q = Math.min(1 - EDGE, Math.max(EDGE, p))
  return -(label * Math.log(q) + (1 - label) * Math.log(1 - q))
}

/**
 * Judges forecasts of one range of candles by the same outcomes. Where candles are missing before an outcome it is none.
 * All predictions have the same range and number of horizons.
 */
export function judgeTogether(
  candles: Candles,
  stepMs: number,
  predictions: readonly Predictions[],
  horizon: number,
): SharedOutcomes {
  const [first] = predictions
  if (first === undefined) throw new RangeError('There is no forecast to judge.')
  const ahead = (i: number, h: number): number =>
    i + h < candles.length && candles.ts[i + h] === candles.ts[i]! + h * stepMs
      ? Math.log(candles.close[i + h]! / candles.close[i]!)
      : Number.NaN
  const found: number[] = []
  for (let i = first.from; i < first.to; i++)
    if (!Number.isNaN(ahead(i, horizon)) && predictions.every((p) => !Number.isNaN(p.pUp[i - p.from]!))) found.push(i)
  const rows = Int32Array.from(found)
  const returns = Float64Array.from(rows, (i) => ahead(i, horizon))
  const labels = Float32Array.from(returns, (r) => (r > 0 ? 1 : r < 0 ? 0 : 0.5))
  return { rows, returns, labels, models: predictions.map(lossesOf) }

  function lossesOf(made: Predictions): ModelLosses {
    const pUp = Float64Array.from(rows, (i) => made.pUp[i - made.from]!)
    const fan = Array.from({ length: made.horizons }, () => ({ outcomes: 0, covered: 0 }))
    return {
      pUp,
      logLoss: pUp.map((p, k) => logLossOf(p, labels[k]!)),
      brier: pUp.map((p, k) => (p - labels[k]!) ** 2),
      pinballBps: Float64Array.from(rows, (i) => pinballOf(made, i, fan)),
      signal: Int8Array.from(rows, (i) => made.signal[i - made.from]!),
      confidence: Float64Array.from(rows, (i) => made.confidence[i - made.from]!),
      fan,
    }
  }

  function pinballOf(made: Predictions, i: number, fan: ModelLosses['fan']): number {
    const { horizons, quantiles } = made
    let [sum, count] = [0, 0]
    for (let h = 1; h <= horizons; h++) {
      const outcome = ahead(i, h)
      if (Number.isNaN(outcome)) continue
      const at = ((i - made.from) * horizons + h - 1) * quantiles.length
      const quantile = (q: number) => Math.log(made.quantilePrices[at + q]! / candles.close[i]!)
      quantiles.forEach((probability, q) => {
        sum += pinballLoss(quantile(q), outcome, probability)
        count++
      })
      const cell = fan[h - 1]!
      cell.outcomes++
      if (outcome >= quantile(0) && outcome <= quantile(quantiles.length - 1)) cell.covered++
    }
    return count === 0 ? 0 : (1e4 * sum) / count
  }
}
