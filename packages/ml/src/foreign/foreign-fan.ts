import { FAN_QUANTILES } from '@shapecast/contracts/foreign-card'
import { normalProbability, normalQuantile } from '@shapecast/engine/selection/normal'
import { rearrange } from '../recipe/blend-forecasts.ts'
import { sigmoid } from '../recipe/logistic-regression.ts'
import type { ForeignCard } from './foreign-card.ts'

const WIDTH = FAN_QUANTILES.length
const NORMAL = FAN_QUANTILES.map(normalQuantile)

/**
 * Brings quantiles of any rising levels to those of every fan (5, 25, 50, 75, 95 %): along straight lines over the quantiles
 * of a normal, of which a normal's own are one; beyond the outermost levels along the last line.
 */
export function toFanLevels(levels: readonly number[]): (rising: Float64Array) => number[] {
  if (levels.join() === FAN_QUANTILES.join()) return (rising) => [...rising]
  const z = levels.map(normalQuantile)
  const places = NORMAL.map((wanted) => {
    const above = z.findIndex((at) => at >= wanted)
    const k = Math.min(levels.length - 2, Math.max(0, (above < 0 ? levels.length : above) - 1))
    return { k, share: (wanted - z[k]!) / (z[k + 1]! - z[k]!) }
  })
  return (rising) => places.map(({ k, share }) => rising[k]! + share * (rising[k + 1]! - rising[k]!))
}

/** What a model says at one candle: log returns [horizons × levels of every fan], and P(up). */
export interface ForeignWord {
  fan: Float64Array
  pUp: number
}

/**
 * Reads what a card's model said of a window. A model without a fan gets a normal one: as wide as the EWMA volatility, and
 * shifted so that it agrees with P(up) at the signal horizon, less before and no further beyond.
 * @returns of the model's numbers and the volatilities by horizon, in log returns
 */
export function foreignWords(
  card: ForeignCard,
): (said: Float32Array, up: number, sigma: readonly number[]) => ForeignWord {
  const { horizons, output, quantileUnit, signalHorizon, quantiles: levels } = card
  const toFan = toFanLevels(levels)
  const unit = (sigma: number): number => (quantileUnit === 'sigma' ? sigma : 1)
  const ownFan = (said: Float32Array, sigma: readonly number[]): Float64Array => {
    const scaled = Float64Array.from(said, (q, c) => q * unit(sigma[Math.floor(c / levels.length)]!))
    const fan = new Float64Array(horizons * WIDTH)
    for (let h = 0; h < horizons; h++) {
      rearrange(scaled, h * levels.length, levels.length)
      fan.set(toFan(scaled.subarray(h * levels.length, (h + 1) * levels.length)), h * WIDTH)
    }
    return fan
  }
  const normalFan = (move: number, sigma: readonly number[]): Float64Array =>
    Float64Array.from({ length: horizons * WIDTH }, (_, c) => {
      const h = Math.floor(c / WIDTH)
      return move * Math.min(1, (h + 1) / signalHorizon) + NORMAL[c % WIDTH]! * sigma[h]!
    })
  return (said, up, sigma) => {
    if (output === 'fan') return { fan: ownFan(said, sigma), pUp: sigmoid(up) }
    const spread = sigma[signalHorizon - 1]!
    if (output === 'return') {
      const move = up * unit(spread)
      return { fan: normalFan(move, sigma), pUp: normalProbability(move / spread) }
    }
    const pUp = sigmoid(up)
    return { fan: normalFan(Number.isNaN(pUp) ? pUp : normalQuantile(pUp) * spread, sigma), pUp }
  }
}
