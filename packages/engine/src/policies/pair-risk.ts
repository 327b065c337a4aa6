import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '../candles.ts'
import { HALF_LIFE_HOURS, SEED_HOURS, squaredReturns, steadyVolatility } from './measures.ts'

/**
 * How two pairs move together, −1 to 1: of log returns of candles where both have that one and the one before, weighted
 * with a half-life of 30 days of such returns, around 0, and begun with the plain mean of the first week. NaN before
 * more than a week of them.
 */
export function correlationOf(a: Candles, b: Candles, timeframe: Timeframe): number {
  const step = TIMEFRAME_MS[timeframe]
  const perHour = 3_600_000 / step
  const seed = Math.ceil(SEED_HOURS * perHour)
  const decay = 0.5 ** (1 / (HALF_LIFE_HOURS * perHour))
  let [xy, xx, yy, count] = [0, 0, 0, 0]
  for (let i = 1, j = 1; i < a.length && j < b.length; ) {
    const apart = a.ts[i]! - b.ts[j]!
    if (apart === 0 && a.ts[i - 1]! === a.ts[i]! - step && b.ts[j - 1]! === b.ts[j]! - step) {
      const x = Math.log(a.close[i]! / a.close[i - 1]!)
      const y = Math.log(b.close[j]! / b.close[j - 1]!)
      count++
      const [kept, added] = count <= seed ? [(count - 1) / count, 1 / count] : [decay, 1 - decay]
      xy = kept * xy + added * x * y
      xx = kept * xx + added * x * x
      yy = kept * yy + added * y * y
    }
    if (apart <= 0) i++
    if (apart >= 0) j++
  }
  return count > seed && xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : Number.NaN
}

export interface PairRisk {
  /** Yearly volatility of each pair, ratio; NaN before a week of candles. */
  readonly volatilities: readonly number[]
  /** Of pairs i and j. */
  readonly correlations: readonly (readonly number[])[]
  /** Yearly volatility of the whole, and each pair's part of it, which sum to 1. NaN where what is held is not known. */
  readonly volatility: number
  readonly parts: readonly number[]
}

/**
 * How far pairs move that are held with `weights` (shares of the equity), and what each does to that: its weight times its
 * covariance with the whole, over the variance of the whole (Litterman, Hot Spots and Hedges, 1996).
 */
export function pairRisk(pairs: readonly Candles[], weights: readonly number[], timeframe: Timeframe): PairRisk {
  const volatilities = pairs.map((candles) =>
    steadyVolatility(squaredReturns(candles.close), candles.length - 1, timeframe),
  )
  const correlations = pairs.map(() => pairs.map(() => 1))
  for (let i = 0; i < pairs.length; i++)
    for (let j = 0; j < i; j++)
      correlations[i]![j] = correlations[j]![i] = correlationOf(pairs[i]!, pairs[j]!, timeframe)
  const of = weights.map((weight, i) =>
    weight === 0
      ? 0
      : weights.reduce(
          (sum, other, j) =>
            other === 0 ? sum : sum + weight * other * volatilities[i]! * volatilities[j]! * correlations[i]![j]!,
          0,
        ),
  )
  const variance = of.reduce((sum, part) => sum + part, 0)
  return {
    volatilities,
    correlations,
    volatility: Math.sqrt(variance),
    parts: of.map((part) => part / variance),
  }
}
