import { fanRange } from './fan-shape.ts'
import { indexOfTime } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

export interface PriceExtent {
  readonly min: number
  readonly max: number
}

/** The prices that the candles from index `from` to `to` (both included) need, lines and fan with them; null for none. */
export function priceExtent(scene: PriceScene, from: number, to: number): PriceExtent | null {
  const { model, predictions, fan } = scene
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  const first = Math.max(0, Math.floor(from))
  const last = Math.min(model.count - 1, Math.ceil(to))
  for (let i = first; i <= last; i++) {
    if (model.low[i]! < min) min = model.low[i]!
    if (model.high[i]! > max) max = model.high[i]!
  }
  const include = (values: Float64Array, end: number) => {
    for (let i = first; i <= end; i++) {
      // Comparisons with NaN are false: what is not known asks for no room.
      if (values[i]! < min) min = values[i]!
      if (values[i]! > max) max = values[i]!
    }
  }
  if (scene.showEma) {
    include(model.emaFast, last)
    include(model.emaSlow, last)
  }
  if (predictions !== null) {
    const end = Math.min(predictions.lstm.length - 1, Math.ceil(to))
    include(predictions.lstm, end)
    include(predictions.transformer, end)
  }
  if (fan !== null && indexOfTime(model, fan.t) >= 0 && to > indexOfTime(model, fan.t)) {
    const range = fanRange(fan)
    if (range !== null) {
      min = Math.min(min, range.min)
      max = Math.max(max, range.max)
    }
  }
  if (min > max) return null
  return { min, max }
}
