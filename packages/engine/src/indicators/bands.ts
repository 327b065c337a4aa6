import { ema } from './averages.ts'
import { rollingMoments } from './rolling.ts'

export interface BollingerBands {
  readonly upper: Float64Array
  readonly middle: Float64Array
  readonly lower: Float64Array
}

/** Bollinger bands: the mean of `period` closes, and `width` population standard deviations on both sides of it. */
export function bollinger(close: Float64Array, period = 20, width = 2): BollingerBands {
  const { mean, std } = rollingMoments(close, period)
  const upper = new Float64Array(close.length)
  const lower = std
  for (let i = 0; i < close.length; i++) {
    const reach = width * std[i]!
    upper[i] = mean[i]! + reach
    lower[i] = mean[i]! - reach
  }
  return { upper, middle: mean, lower }
}

export interface Macd {
  readonly macd: Float64Array
  readonly signal: Float64Array
  readonly histogram: Float64Array
}

/** MACD (Appel): fast EMA − slow EMA, its EMA as the signal line, and their difference as the histogram. */
export function macd(close: Float64Array, fast = 12, slow = 26, signalPeriod = 9): Macd {
  const line = ema(close, slow)
  const quick = ema(close, fast)
  for (let i = 0; i < close.length; i++) line[i] = quick[i]! - line[i]!
  const signal = ema(line, signalPeriod)
  const histogram = quick
  for (let i = 0; i < close.length; i++) histogram[i] = line[i]! - signal[i]!
  return { macd: line, signal, histogram }
}
