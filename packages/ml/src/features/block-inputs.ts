import type { Candles } from '@shapecast/engine/candles'
import { sma, zScore } from '@shapecast/engine/indicators/rolling'
import { atr } from '@shapecast/engine/indicators/volatility'
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
}

const VOLUME_PERIOD = 48

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
  return {
    candles,
    logClose,
    returns,
    sigma: flooredVolatility(returns, LAMBDA),
    sigmaSlow: flooredVolatility(returns, LAMBDA_SLOW),
    atrRatio,
    range,
    volumeZ: volumeScore(candles.volume),
  }
}
