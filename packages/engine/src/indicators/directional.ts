import { wilder } from './averages.ts'
import { warmingSeries } from './series.ts'
import { trueRange } from './volatility.ts'

export interface DirectionalMovement {
  /** Upward and downward directional indicators, 0–100. */
  readonly plus: Float64Array
  readonly minus: Float64Array
  /** How far they are apart, smoothed once more, 0–100. */
  readonly adx: Float64Array
}

/** Directional movement (Wilder, New Concepts, 1978), by Wilder's smoothing; 0 where nothing has moved. */
export function directionalMovement(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  period = 14,
): DirectionalMovement {
  const up = warmingSeries(close.length, 1)
  const down = warmingSeries(close.length, 1)
  for (let i = 1; i < close.length; i++) {
    const rise = high[i]! - high[i - 1]!
    const fall = low[i - 1]! - low[i]!
    up[i] = rise > fall && rise > 0 ? rise : 0
    down[i] = fall > rise && fall > 0 ? fall : 0
  }
  const range = wilder(trueRange(high, low, close), period)
  const plus = wilder(up, period)
  const minus = wilder(down, period)
  const apart = warmingSeries(close.length, period)
  for (let i = period; i < close.length; i++) {
    plus[i] = range[i] === 0 ? 0 : (100 * plus[i]!) / range[i]!
    minus[i] = range[i] === 0 ? 0 : (100 * minus[i]!) / range[i]!
    const both = plus[i]! + minus[i]!
    apart[i] = both === 0 ? 0 : (100 * Math.abs(plus[i]! - minus[i]!)) / both
  }
  return { plus, minus, adx: wilder(apart, period) }
}
