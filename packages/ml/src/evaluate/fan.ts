import type { Evaluation } from '@shapecast/contracts/evaluation'
import { empiricalQuantiles } from '../recipe/empirical-quantiles.ts'
import { effectiveOutcomes, wilsonInterval } from './intervals.ts'

/** Pinball loss of a forecast quantile (Koenker and Bassett, Econometrica 46, 1978). */
export const pinballLoss = (quantile: number, outcome: number, probability: number): number =>
  outcome >= quantile ? probability * (outcome - quantile) : (1 - probability) * (quantile - outcome)

/** Pinball loss of all quantiles of a forecast together. */
export const fanLoss = (forecast: ArrayLike<number>, outcome: number, quantiles: readonly number[]): number =>
  quantiles.reduce((sum, probability, q) => sum + pinballLoss(forecast[q]!, outcome, probability), 0)

/** Quantiles that a simple method would have forecast for each row. */
export interface FanBaselines {
  /** EWMA volatility √h times the empirical quantiles of past returns so scaled: of horizon index h at candle i. */
  ewma(h: number, i: number): readonly number[]
  /** Empirical quantiles of past returns. */
  historical(h: number): readonly number[]
}

/** Fits both baselines on the rows before the hold-out. */
export function fitBaselines(
  returns: readonly Float64Array[],
  sigma: Float64Array,
  rows: Int32Array,
  quantiles: readonly number[],
): FanBaselines {
  const historical = returns.map((column) =>
    empiricalQuantiles(
      Float64Array.from(rows, (i) => column[i]!),
      quantiles,
    ),
  )
  const scaled = returns.map((column, h) =>
    empiricalQuantiles(
      Float64Array.from(rows, (i) => column[i]! / (sigma[i]! * Math.sqrt(h + 1))),
      quantiles,
    ),
  )
  return {
    ewma: (h, i) => scaled[h]!.map((z) => z * sigma[i]! * Math.sqrt(h + 1)),
    historical: (h) => historical[h]!,
  }
}

/** Coverage and pinball skill of the fan by horizon. `fan` holds log returns [rows × horizons × quantiles]. */
export function fanReport(
  fan: Float64Array,
  rows: Int32Array,
  returns: readonly Float64Array[],
  quantiles: readonly number[],
  baselines: FanBaselines,
): Evaluation['fan'] {
  const width = quantiles.length
  return returns.map((column, h) => {
    const losses = { model: 0, ewma: 0, historical: 0 }
    const [covered, outcomes] = [[0, 0], { count: 0 }]
    for (let k = 0; k < rows.length; k++) {
      const i = rows[k]!
      const y = column[i]!
      const at = (k * returns.length + h) * width
      if (Number.isNaN(y) || Number.isNaN(fan[at]!)) continue
      outcomes.count++
      losses.model += fanLoss(fan.subarray(at, at + width), y, quantiles)
      losses.ewma += fanLoss(baselines.ewma(h, i), y, quantiles)
      losses.historical += fanLoss(baselines.historical(h), y, quantiles)
      if (y >= fan[at]! && y <= fan[at + width - 1]!) covered[0]!++
      if (y >= fan[at + 1]! && y <= fan[at + width - 2]!) covered[1]!++
    }
    const n = Math.max(1, outcomes.count)
    const effective = effectiveOutcomes(outcomes.count, h + 1)
    const skill = (baseline: number): number => (baseline > 0 ? 1 - losses.model / baseline : 0)
    return {
      horizon: h + 1,
      outcomes: outcomes.count,
      effectiveOutcomes: effective,
      coverage90: covered[0]! / n,
      coverage90Interval: wilsonInterval(covered[0]! / n, effective),
      coverage50: covered[1]! / n,
      skillOverEwma: skill(losses.ewma),
      skillOverHistorical: skill(losses.historical),
    }
  })
}
