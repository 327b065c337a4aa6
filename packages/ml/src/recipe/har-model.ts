import { fitStandardisation, type Standardisation } from '../features/standardise.ts'
import { solveSymmetric } from './cholesky.ts'

export interface HarHorizon {
  weights: number[]
  intercept: number
  /** Turns exp(forecast) √h into σ_h, so that the mean |r_h| / σ_h of the training rows is that of a standard normal. */
  scale: number
}

export interface HarModel {
  standardisation: Standardisation
  horizons: HarHorizon[]
}

/** Mean absolute value of a standard normal: √(2/π). */
export const MEAN_ABS_NORMAL = Math.sqrt(2 / Math.PI)

/**
 * Ridge regression: minimises Σ (y − ŷ)² + α Σ w² (Hoerl and Kennard, 1970; α as in scikit-learn), the intercept free, the
 * columns standardised over `rows`. One solution for each target; targets are read at the rows.
 */
export function fitRidge(
  columns: readonly Float64Array[],
  rows: Int32Array,
  targets: readonly Float64Array[],
  alpha: number,
): { standardisation: Standardisation; fits: { weights: number[]; intercept: number }[] } {
  const width = columns.length
  const standardisation = fitStandardisation(columns, rows)
  const z = columns.map((column, c) => {
    const [m, s] = [standardisation.mean[c]!, standardisation.sd[c]!]
    return Float64Array.from(rows, (row) => (column[row]! - m) / s)
  })
  const gram = new Float64Array(width * width)
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0
      for (let i = 0; i < rows.length; i++) sum += z[a]![i]! * z[b]![i]!
      gram[a * width + b] = sum
    }
    gram[a * width + a]! += alpha
  }
  const means = targets.map((target) => rows.reduce((sum, row) => sum + target[row]!, 0) / rows.length)
  const moments = targets.map((target, t) =>
    Float64Array.from(z, (column) => {
      let sum = 0
      for (let i = 0; i < rows.length; i++) sum += column[i]! * (target[rows[i]!]! - means[t]!)
      return sum
    }),
  )
  const fits = solveSymmetric(gram, width, moments).map((weights, t) => ({
    weights: Array.from(weights),
    intercept: means[t]!,
  }))
  return { standardisation, fits }
}

/** Log of the mean |r| ahead that the ridge of one horizon forecasts at row i. */
function forecastLog(model: HarModel, horizon: HarHorizon, columns: readonly Float64Array[], i: number): number {
  const { mean, sd } = model.standardisation
  let sum = horizon.intercept
  for (let c = 0; c < columns.length; c++) sum += (horizon.weights[c]! * (columns[c]![i]! - mean[c]!)) / sd[c]!
  return sum
}

/**
 * HAR in logs (Corsi, 2009), as a ridge: log mean |r| over the next h candles from the same over past candles, from
 * volatility levels, volume and calendar.
 * @param moves by horizon, log mean |r| ahead at each candle
 * @param returns by horizon, the log return ahead at each candle
 */
export function fitHar(
  columns: readonly Float64Array[],
  rows: Int32Array,
  moves: readonly Float64Array[],
  returns: readonly Float64Array[],
  alpha: number,
): HarModel {
  const { standardisation, fits } = fitRidge(columns, rows, moves, alpha)
  const model: HarModel = { standardisation, horizons: fits.map((fit) => ({ ...fit, scale: 1 })) }
  model.horizons.forEach((horizon, h) => {
    let sum = 0
    for (const row of rows)
      sum += Math.abs(returns[h]![row]!) / (Math.exp(forecastLog(model, horizon, columns, row)) * Math.sqrt(h + 1))
    const mean = sum / rows.length
    horizon.scale = mean > 0 ? mean / MEAN_ABS_NORMAL : 1
  })
  return model
}

/** Forecast scale σ_h of the log return over the next h = 1 … horizons candles, by horizon a column over all candles. */
export function forecastSigma(model: HarModel, columns: readonly Float64Array[]): Float64Array[] {
  const n = columns[0]?.length ?? 0
  return model.horizons.map((horizon, h) => {
    const factor = horizon.scale * Math.sqrt(h + 1)
    const sigma = new Float64Array(n)
    for (let i = 0; i < n; i++) sigma[i] = factor * Math.exp(forecastLog(model, horizon, columns, i))
    return sigma
  })
}
