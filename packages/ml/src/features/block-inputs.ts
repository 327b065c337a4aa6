import type { Candles } from '@shapecast/engine/candles'
import { macd } from '@shapecast/engine/indicators/bands'
import { rollingMoments, sma, zScore } from '@shapecast/engine/indicators/rolling'
import { atr } from '@shapecast/engine/indicators/volatility'
import { hourOf } from './calendar.ts'
import { flooredVolatility, LAMBDA, LAMBDA_SLOW, stepReturns } from './volatility.ts'

/** What both the features and the volatility model are made from, by candle of one block. */
export interface BlockInputs {
  candles: Candles
  logClose: Float64Array
  /** One-candle log returns, those over holes brought to the size of one step. */
  returns: Float64Array
  /** Volatility of one candle's log return, and the slow one. */
  sigma: Float64Array
  sigmaSlow: Float64Array
  /** Average true range over the close. */
  atrRatio: Float64Array
  /** ln(high / low). */
  range: Float64Array
  volumeZ: Float64Array
  logSigma: Float64Array
  logSigmaSlow: Float64Array
  /** Of the last 20 logarithms of the close. */
  band: ReturnType<typeof rollingMoments>
  /** Of the logarithm of the close. */
  trend: ReturnType<typeof macd>
  /** Full hours since midnight UTC. */
  hour: Float64Array
}

const VOLUME_PERIOD = 48
const BAND_PERIOD = 20

/** Log volume against its own mean, and that against its own last two days: scale-free, and tame where volume is 0. */
function volumeScore(volume: Float64Array): Float64Array {
  const mean = sma(volume, VOLUME_PERIOD)
  const relative = new Float64Array(volume.length)
  for (let i = 0; i < volume.length; i++) {
    const base = mean[i]!
    relative[i] = base > 0 ? Math.log(volume[i]! / base + 0.01) : base === 0 ? 0 : Number.NaN
  }
  return zScore(relative, VOLUME_PERIOD)
}

/** `steps` belongs to the same candles; the first candle's is not looked at. */
export function blockInputs(candles: Candles, steps: Float64Array): BlockInputs {
  const n = candles.length
  const { high, low, close } = candles
  const returns = stepReturns(close, steps)
  const logClose = new Float64Array(n)
  const range = new Float64Array(n)
  const atrRatio = atr(high, low, close, 14)
  for (let i = 0; i < n; i++) {
    logClose[i] = Math.log(close[i]!)
    range[i] = Math.log(high[i]! / low[i]!)
    atrRatio[i] = atrRatio[i]! / close[i]!
  }
  const sigma = flooredVolatility(returns, LAMBDA)
  const sigmaSlow = flooredVolatility(returns, LAMBDA_SLOW)
  return {
    candles,
    logClose,
    returns,
    sigma,
    sigmaSlow,
    atrRatio,
    range,
    volumeZ: volumeScore(candles.volume),
    logSigma: sigma.map(Math.log),
    logSigmaSlow: sigmaSlow.map(Math.log),
    band: rollingMoments(logClose, BAND_PERIOD),
    trend: macd(logClose),
    hour: candles.ts.map((ts) => Math.floor(hourOf(ts))),
  }
}
