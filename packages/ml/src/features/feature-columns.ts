import { type FeatureName, featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ema } from '@shapecast/engine/indicators/averages'
import { rsi, ultimateOscillator } from '@shapecast/engine/indicators/oscillators'
import { sma } from '@shapecast/engine/indicators/rolling'
import type { BlockInputs } from './block-inputs.ts'
import { hourOf, weekdayOf } from './calendar.ts'

/** The features of a timeframe, in the order of their columns. */
export const featureNames = (timeframe: Timeframe): string[] => featuresOf(timeframe).map(({ name }) => name)

/** One feature of a block's candles, each value known at its candle's close. */
export type ColumnOf = (inputs: BlockInputs) => Float64Array

const REALISED_PERIOD = 24

/** A column from what one candle of the block gives. */
export function column({ candles }: BlockInputs, f: (i: number) => number): Float64Array {
  const out = new Float64Array(candles.length)
  for (let i = 0; i < out.length; i++) out[i] = f(i)
  return out
}

/** Sums of the last `lag` step returns over σ√lag: how many of its own standard deviations the price has moved. */
const scaledReturn =
  (lag: number): ColumnOf =>
  (inputs) => {
    const mean = sma(inputs.returns, lag)
    return column(inputs, (i) => (mean[i]! * Math.sqrt(lag)) / inputs.sigma[i]!)
  }

const emaDistance =
  (period: number): ColumnOf =>
  (inputs) => {
    const { logClose, sigma } = inputs
    const average = ema(logClose, period)
    return column(inputs, (i) => (logClose[i]! - average[i]!) / (sigma[i]! * Math.sqrt(period)))
  }

/** Where on its circle a candle's time stands, as sine or cosine. */
const turn =
  (phase: (ts: number) => number, wave: (angle: number) => number): ColumnOf =>
  ({ candles }) =>
    candles.ts.map((ts) => wave(2 * Math.PI * phase(ts)))

const hourPhase = (ts: number): number => hourOf(ts) / 24
const weekdayPhase = (ts: number): number => weekdayOf(ts) / 7

/**
 * How each feature is computed. Returns and distances are in units of σ, so that a calm and a wild market look alike; the
 * level of σ has columns of its own. Bollinger's %b is left out: it is a linear function of the z-score.
 */
export const FEATURE_COLUMNS: Readonly<Record<FeatureName, ColumnOf>> = {
  return_1: scaledReturn(1),
  return_2: scaledReturn(2),
  return_3: scaledReturn(3),
  return_6: scaledReturn(6),
  return_12: scaledReturn(12),
  return_24: scaledReturn(24),
  realised_volatility(inputs) {
    const mean = sma(inputs.returns.map(Math.abs), REALISED_PERIOD)
    return column(inputs, (i) => Math.log(mean[i]! / inputs.sigma[i]! + 0.01))
  },
  range: (inputs) => column(inputs, (i) => inputs.range[i]! / inputs.sigma[i]!),
  close_in_range(inputs) {
    const { high, low, close } = inputs.candles
    return column(inputs, (i) => (high[i]! > low[i]! ? (close[i]! - low[i]!) / (high[i]! - low[i]!) - 0.5 : 0))
  },
  body(inputs) {
    const { open, high, low, close } = inputs.candles
    return column(inputs, (i) => (high[i]! > low[i]! ? (close[i]! - open[i]!) / (high[i]! - low[i]!) : 0))
  },
  volume_z: ({ volumeZ }) => volumeZ,
  rsi_14: ({ candles }) => rsi(candles.close, 14),
  z_score_20(inputs) {
    const { band, logClose } = inputs
    return column(inputs, (i) => (band.std[i] === 0 ? 0 : (logClose[i]! - band.mean[i]!) / band.std[i]!))
  },
  ultimate_oscillator: ({ candles }) => ultimateOscillator(candles.high, candles.low, candles.close),
  ema_distance_20: emaDistance(20),
  ema_distance_50: emaDistance(50),
  band_width_20: (inputs) => column(inputs, (i) => Math.log(inputs.band.std[i]! / inputs.sigma[i]! + 0.01)),
  macd: (inputs) => column(inputs, (i) => inputs.trend.macd[i]! / inputs.sigma[i]!),
  macd_histogram: (inputs) => column(inputs, (i) => inputs.trend.histogram[i]! / inputs.sigma[i]!),
  atr_14: (inputs) => column(inputs, (i) => Math.log(inputs.atrRatio[i]! / inputs.sigma[i]! + 0.01)),
  sigma_over_slow: (inputs) => column(inputs, (i) => Math.log(inputs.sigma[i]! / inputs.sigmaSlow[i]!)),
  log_sigma: ({ logSigma }) => logSigma,
  log_sigma_slow: ({ logSigmaSlow }) => logSigmaSlow,
  hour_sin: turn(hourPhase, Math.sin),
  hour_cos: turn(hourPhase, Math.cos),
  weekday_sin: turn(weekdayPhase, Math.sin),
  weekday_cos: turn(weekdayPhase, Math.cos),
}
