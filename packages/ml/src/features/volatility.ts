import { ewmaVolatility } from '@shapecast/engine/indicators/volatility'

/** Below this a market counts as standing still; keeps logarithms and quotients finite on dead markets. */
export const SMALLEST_SIGMA = 1e-7

/** Decay of the volatility that scales returns, and of the slow one beside it. */
export const LAMBDA = 0.97
export const LAMBDA_SLOW = 0.995

/**
 * One-candle log returns in which a return over a hole of k steps is divided by √k, so that it has the size of one step
 * (the variance of a random walk grows with time). The first is not known and is 0.
 */
export function stepReturns(close: Float64Array, steps: Float64Array): Float64Array {
  const returns = new Float64Array(close.length)
  for (let i = 1; i < close.length; i++) {
    const r = Math.log(close[i]! / close[i - 1]!)
    returns[i] = steps[i]! > 1 ? r / Math.sqrt(steps[i]!) : r
  }
  return returns
}

/** EWMA volatility per candle from step returns (whose first is left out), never below SMALLEST_SIGMA. */
export function flooredVolatility(returns: Float64Array, lambda: number): Float64Array {
  const sigma = new Float64Array(returns.length).fill(SMALLEST_SIGMA)
  const known = ewmaVolatility(returns.subarray(1), lambda)
  for (let i = 1; i < returns.length; i++) sigma[i] = Math.max(SMALLEST_SIGMA, known[i - 1]!)
  return sigma
}
