import { wilder } from './averages.ts'
import { sma } from './rolling.ts'
import { firstDefined, warmingSeries } from './series.ts'

/** Wilder's true range: the candle's range, reaching to the close before it. NaN for the first candle. */
export function trueRange(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const out = warmingSeries(close.length, 1)
  for (let i = 1; i < close.length; i++) {
    const before = close[i - 1]!
    const top = Math.max(high[i]!, before)
    const bottom = Math.min(low[i]!, before)
    out[i] = top - bottom
  }
  return out
}

/** Average true range: Wilder's smoothing of the true range; the first value stands at candle `period`. */
export const atr = (high: Float64Array, low: Float64Array, close: Float64Array, period = 14): Float64Array =>
  wilder(trueRange(high, low, close), period)

/**
 * Volatility per candle by exponentially weighted squared returns (RiskMetrics, 1996):
 * σ² = Σ λᵏ r²₍ᵢ₋ₖ₎ / Σ λᵏ. The weights add up to 1 from the first return on, so no start value is invented.
 */
export function ewmaVolatility(returns: Float64Array, lambda: number): Float64Array {
  if (!(lambda > 0 && lambda < 1)) throw new RangeError(`lambda is between 0 and 1; got ${lambda}.`)
  let i = firstDefined(returns)
  const out = warmingSeries(returns.length, i)
  let weighted = 0
  for (let decay = lambda; i < returns.length && decay > Number.EPSILON / 4; i++, decay *= lambda) {
    const r = returns[i]!
    weighted = lambda * weighted + (1 - lambda) * r * r
    out[i] = Math.sqrt(weighted / (1 - decay))
  }
  for (; i < returns.length; i++) {
    const r = returns[i]!
    weighted = lambda * weighted + (1 - lambda) * r * r
    out[i] = Math.sqrt(weighted)
  }
  return out
}

/**
 * ln of the mean absolute return over the last `period` candles: the regressor of a log-HAR model (Corsi, 2009).
 * `floor` (a return) stands in for a mean below it, so that candles without any move stay finite.
 */
export function logMeanAbs(returns: Float64Array, period: number, floor = 1e-8): Float64Array {
  const absolute = new Float64Array(returns.length)
  for (let i = 0; i < returns.length; i++) absolute[i] = Math.abs(returns[i]!)
  const out = sma(absolute, period)
  for (let i = 0; i < out.length; i++) {
    const mean = out[i]!
    out[i] = Math.log(Math.max(mean, floor))
  }
  return out
}
