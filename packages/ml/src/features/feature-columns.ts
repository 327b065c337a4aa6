import { featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { ema } from '@shapecast/engine/indicators/averages'
import { macd } from '@shapecast/engine/indicators/bands'
import { rsi, ultimateOscillator } from '@shapecast/engine/indicators/oscillators'
import { rollingMoments, sma } from '@shapecast/engine/indicators/rolling'
import type { BlockInputs } from './block-inputs.ts'
import { hourOf, usesHour, usesWeekday, weekdayOf } from './calendar.ts'

export const RETURN_LAGS = [1, 2, 3, 6, 12, 24] as const
const EMA_PERIODS = [20, 50] as const
const REALISED_PERIOD = 24
const BAND_PERIOD = 20

/** The features of a timeframe, in the order of their columns. */
export const featureNames = (timeframe: Timeframe): string[] => featuresOf(timeframe).map(({ name }) => name)

const map = (n: number, f: (i: number) => number): Float64Array => {
  const out = new Float64Array(n)
  for (let i = 0; i < n; i++) out[i] = f(i)
  return out
}

/** Sums of the last `lag` step returns over σ√lag: how many of its own standard deviations the price has moved. */
function scaledReturn({ returns, sigma }: BlockInputs, lag: number): Float64Array {
  const mean = sma(returns, lag)
  return map(returns.length, (i) => (mean[i]! * Math.sqrt(lag)) / sigma[i]!)
}

function priceColumns(inputs: BlockInputs): Float64Array[] {
  const { candles, logClose, returns, sigma, range } = inputs
  const { open, high, low, close } = candles
  const n = candles.length
  const absolute = map(n, (i) => Math.abs(returns[i]!))
  const meanAbsolute = sma(absolute, REALISED_PERIOD)
  const position = (i: number): number => (high[i]! > low[i]! ? (close[i]! - low[i]!) / (high[i]! - low[i]!) - 0.5 : 0)
  const body = (i: number): number => (high[i]! > low[i]! ? (close[i]! - open[i]!) / (high[i]! - low[i]!) : 0)
  const band = rollingMoments(logClose, BAND_PERIOD)
  return [
    ...RETURN_LAGS.map((lag) => scaledReturn(inputs, lag)),
    map(n, (i) => Math.log(meanAbsolute[i]! / sigma[i]! + 0.01)),
    map(n, (i) => range[i]! / sigma[i]!),
    map(n, position),
    map(n, body),
    inputs.volumeZ,
    rsi(close, 14),
    map(n, (i) => (band.std[i] === 0 ? 0 : (logClose[i]! - band.mean[i]!) / band.std[i]!)),
    ultimateOscillator(high, low, close),
    ...EMA_PERIODS.map((period) => {
      const average = ema(logClose, period)
      return map(n, (i) => (logClose[i]! - average[i]!) / (sigma[i]! * Math.sqrt(period)))
    }),
    map(n, (i) => Math.log(band.std[i]! / sigma[i]! + 0.01)),
  ]
}

function levelColumns({ logClose, sigma, sigmaSlow, atrRatio }: BlockInputs): Float64Array[] {
  const n = logClose.length
  const { macd: line, histogram } = macd(logClose)
  return [
    map(n, (i) => line[i]! / sigma[i]!),
    map(n, (i) => histogram[i]! / sigma[i]!),
    map(n, (i) => Math.log(atrRatio[i]! / sigma[i]! + 0.01)),
    map(n, (i) => Math.log(sigma[i]! / sigmaSlow[i]!)),
    map(n, (i) => Math.log(sigma[i]!)),
    map(n, (i) => Math.log(sigmaSlow[i]!)),
  ]
}

function calendarColumns(ts: Float64Array, timeframe: Timeframe): Float64Array[] {
  const turn = (phase: (ts: number) => number): [Float64Array, Float64Array] => {
    const angle = map(ts.length, (i) => 2 * Math.PI * phase(ts[i]!))
    return [angle.map(Math.sin), angle.map(Math.cos)]
  }
  return [
    ...(usesHour(timeframe) ? turn((t) => hourOf(t) / 24) : []),
    ...(usesWeekday(timeframe) ? turn((t) => weekdayOf(t) / 7) : []),
  ]
}

/**
 * The features of a block, one column each in the order of `featureNames`, each known at its candle's close. Returns and
 * distances are in units of σ, so that a calm and a wild market look alike; the level of σ has columns of its own.
 * Bollinger's %b is left out: it is a linear function of the z-score. The first 99 rows of a segment are warm-up.
 */
export const featureColumns = (inputs: BlockInputs, timeframe: Timeframe): Float64Array[] => [
  ...priceColumns(inputs),
  ...levelColumns(inputs),
  ...calendarColumns(inputs.candles.ts, timeframe),
]
