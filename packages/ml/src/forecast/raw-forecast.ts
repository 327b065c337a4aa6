import { type FeatureTable, hasWindow } from '../features/feature-table.ts'
import { blendQuantiles, blendUp } from '../recipe/blend-forecasts.ts'
import { predictLogistic } from '../recipe/logistic-regression.ts'
import type { NetworkOutput } from '../runtime/kept-outputs.ts'
import { type OpenNetwork, runNetwork } from '../runtime/run-network.ts'
import type { ModelParts } from './model-parts.ts'

/** What the parts say of candles `from` … `to`−1 before calibration and conformal correction; NaN where nothing can be said. */
export interface RawForecast {
  from: number
  to: number
  /** Log returns, [rows × horizons × quantiles]. */
  quantiles: Float64Array
  pUp: Float64Array
  /** Median log return of the next candle, by the name of the network that gives it. */
  medians: Record<string, Float64Array>
}

const MEDIAN = 0.5

/** What networks and logistic regression say of candles `from` … `to`−1, in units of the volatility still to come. */
export interface ScaledForecast {
  from: number
  to: number
  /** The candles with a window. */
  rows: Int32Array
  networks: Record<string, NetworkOutput>
  /** P(up) of the logistic regression, by row. */
  logistic: Float64Array
}

/**
 * Runs the parts that see features over a range of candles.
 * @param matrix the standardised features of all candles
 */
export async function runParts(
  parts: ModelParts,
  table: FeatureTable,
  matrix: Float32Array,
  from: number,
  to: number,
): Promise<ScaledForecast> {
  const rows = Int32Array.from({ length: to - from }, (_, k) => from + k).filter((i) =>
    hasWindow(table, i, parts.lookback),
  )
  const run = async ([name, network]: [string, OpenNetwork]): Promise<[string, NetworkOutput]> => [
    name,
    await runNetwork(network, matrix, table.features.length, parts.lookback, rows),
  ]
  const networks = Object.fromEntries(await Promise.all(Object.entries(parts.networks).map(run)))
  const logistic = predictLogistic(parts.logistic, matrix, from, to)
  return { from, to, rows, networks, logistic: Float64Array.from(rows, (i) => logistic[i - from]!) }
}

/**
 * Gives scaled forecasts the size of the moves.
 * @param sigma by horizon the volatility model's scale of all candles
 */
export function layVolatility(parts: ModelParts, scaled: ScaledForecast, sigma: readonly Float64Array[]): RawForecast {
  const { from, to, rows } = scaled
  const networks = Object.entries(scaled.networks)
  const size = to - from
  const cell = parts.horizons * parts.quantiles.length
  const out: RawForecast = {
    from,
    to,
    quantiles: new Float64Array(size * cell).fill(Number.NaN),
    pUp: new Float64Array(size).fill(Number.NaN),
    medians: Object.fromEntries(networks.map(([name]) => [name, new Float64Array(size).fill(Number.NaN)])),
  }
  if (rows.length === 0) return out
  const compact = sigma.map((column) => Float64Array.from(rows, (i) => column[i]!))
  const blended = blendQuantiles(
    networks.map(([, made]) => made.quantiles),
    parts.residualQuantiles,
    compact,
    0,
    rows.length,
  )
  const pUp = blendUp(
    networks.map(([, made]) => made.upLogit),
    scaled.logistic,
  )
  const median = parts.quantiles.indexOf(MEDIAN)
  rows.forEach((row, k) => {
    const i = row - from
    out.quantiles.set(blended.subarray(k * cell, (k + 1) * cell), i * cell)
    out.pUp[i] = pUp[k]!
    for (const [name, made] of networks) out.medians[name]![i] = made.quantiles[k * cell + median]! * compact[0]![k]!
  })
  return out
}
