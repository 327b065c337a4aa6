import { sigmoid } from './logistic-regression.ts'

/** Sorts the `width` values from `at` in place: forecast quantiles that cross are rearranged (Chernozhukov et al., 2010). */
export function rearrange(values: Float64Array, at: number, width: number): void {
  for (let i = at + 1; i < at + width; i++) {
    const value = values[i]!
    let k = i
    for (; k > at && values[k - 1]! > value; k--) values[k] = values[k - 1]!
    values[k] = value
  }
}

/**
 * Half the mean of the networks' quantiles, half the volatility model's: log returns, [rows × horizons × quantiles], rising
 * along the quantiles. Averaging quantiles keeps the shape of the parts (Vincentization; Lichtendahl et al., 2013).
 * @param networks scaled quantiles of each network, [rows × horizons × quantiles]
 * @param residual quantiles of scaled training returns, [horizons][quantiles]
 * @param sigma by horizon the forecast scale at candle from + row
 */
export function blendQuantiles(
  networks: readonly Float32Array[],
  residual: readonly (readonly number[])[],
  sigma: readonly Float64Array[],
  from: number,
  rows: number,
): Float64Array {
  const horizons = residual.length
  const width = residual[0]!.length
  const out = new Float64Array(rows * horizons * width)
  for (let i = 0, at = 0; i < rows; i++) {
    for (let h = 0; h < horizons; h++, at += width) {
      const scale = sigma[h]![from + i]!
      for (let q = 0; q < width; q++) {
        let sum = 0
        for (const network of networks) sum += network[at + q]!
        out[at + q] = scale * (0.5 * (sum / networks.length) + 0.5 * residual[h]![q]!)
      }
      rearrange(out, at, width)
    }
  }
  return out
}

/** P(up) before calibration: half the mean of the networks, half the logistic regression. */
export function blendUp(upLogits: readonly Float32Array[], logistic: Float64Array): Float64Array {
  return logistic.map((p, i) => {
    let sum = 0
    for (const logit of upLogits) sum += sigmoid(logit[i]!)
    return 0.5 * (sum / upLogits.length) + 0.5 * p
  })
}
