/**
 * Exponential moving average of `close` with weight 2 / (period + 1), seeded by the mean of the first `period` closes;
 * NaN before. `known` is the average of the same closes up to index `from` (not included), which is then only carried on:
 * a new candle costs one step.
 */
export function emaColumn(close: Float64Array, period: number, known?: Float64Array, from = 0): Float64Array {
  const ema = new Float64Array(close.length).fill(Number.NaN)
  let i = 0
  if (known !== undefined && from >= period && known.length >= from) {
    ema.set(known.subarray(0, from))
    i = from
  } else {
    if (close.length < period) return ema
    let sum = 0
    for (let j = 0; j < period; j++) sum += close[j]!
    ema[period - 1] = sum / period
    i = period
  }
  const weight = 2 / (period + 1)
  for (; i < close.length; i++) ema[i] = ema[i - 1]! + weight * (close[i]! - ema[i - 1]!)
  return ema
}
