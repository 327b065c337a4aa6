import { blendQuantiles, blendUp } from '../blend/blend-forecasts.ts'
import { type FeatureTable, hasWindow } from '../features/feature-table.ts'
import { predictLogistic } from '../logistic/logistic-regression.ts'
import { runNetwork } from '../runtime/run-network.ts'
import type { ModelParts } from './model-parts.ts'

/** What the parts say of candles `from` … `to`−1 before calibration and conformal correction; NaN where nothing can be said. */
export interface RawForecast {
  from: number
  to: number
  /** Log returns, [rows × horizons × quantiles]. */
  quantiles: Float64Array
  pUp: Float64Array
  /** Median log return of the next candle by each network. */
  lstm: Float64Array
  transformer: Float64Array
}

const MEDIAN = 0.5

/**
 * Runs the parts over a range of candles.
 * @param matrix the standardised features of all candles
 * @param sigma by horizon the volatility model's scale of all candles
 */
export async function forecastRaw(
  parts: ModelParts,
  table: FeatureTable,
  matrix: Float32Array,
  sigma: readonly Float64Array[],
  from: number,
  to: number,
): Promise<RawForecast> {
  const size = to - from
  const cell = parts.horizons * parts.quantiles.length
  const rows = Int32Array.from({ length: size }, (_, k) => from + k).filter((i) => hasWindow(table, i, parts.lookback))
  const out: RawForecast = {
    from,
    to,
    quantiles: new Float64Array(size * cell).fill(Number.NaN),
    pUp: new Float64Array(size).fill(Number.NaN),
    lstm: new Float64Array(size).fill(Number.NaN),
    transformer: new Float64Array(size).fill(Number.NaN),
  }
  if (rows.length === 0) return out
  const width = table.features.length
  const [lstm, transformer] = await Promise.all(
    [parts.lstm, parts.transformer].map((network) => runNetwork(network, matrix, width, parts.lookback, rows)),
  )
  const compact = sigma.map((column) => Float64Array.from(rows, (i) => column[i]!))
  const blended = blendQuantiles(
    [lstm!.quantiles, transformer!.quantiles],
    parts.residualQuantiles,
    compact,
    0,
    rows.length,
  )
  const logistic = predictLogistic(parts.logistic, matrix, from, to)
  const pUp = blendUp(
    [lstm!.upLogit, transformer!.upLogit],
    Float64Array.from(rows, (i) => logistic[i - from]!),
  )
  const median = parts.quantiles.indexOf(MEDIAN)
  rows.forEach((row, k) => {
    const i = row - from
    out.quantiles.set(blended.subarray(k * cell, (k + 1) * cell), i * cell)
    out.pUp[i] = pUp[k]!
    out.lstm[i] = lstm!.quantiles[k * cell + median]! * compact[0]![k]!
    out.transformer[i] = transformer!.quantiles[k * cell + median]! * compact[0]![k]!
  })
  return out
}
