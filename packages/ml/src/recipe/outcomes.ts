import type { FeatureTable } from '../features/feature-table.ts'
import { SMALLEST_MOVE } from '../features/har-inputs.ts'

/** What came after each candle, by horizon 1 … H; NaN where it is not known or a hole lies between. */
export interface Outcomes {
  /** Log return from this close to the close h candles later. */
  returns: Float64Array[]
  /** Log of the mean |one-candle return| over the next h candles. */
  moves: Float64Array[]
}

/** Outcomes over which candles are missing are no outcomes: h candles later would not be h steps later. */
export function findOutcomes(close: Float64Array, table: FeatureTable, horizons: number): Outcomes {
  const n = close.length
  const { gapsUpTo } = table.continuity
  const undefinedColumns = (): Float64Array[] =>
    Array.from({ length: horizons }, () => new Float64Array(n).fill(Number.NaN))
  const returns = undefinedColumns()
  const moves = undefinedColumns()
  for (let i = 0; i < n; i++) {
    const floor = SMALLEST_MOVE * table.sigma[i]!
    let sum = 0
    for (let h = 1; h <= horizons && i + h < n && gapsUpTo[i + h] === gapsUpTo[i]; h++) {
      sum += Math.abs(table.returns[i + h]!)
      returns[h - 1]![i] = Math.log(close[i + h]! / close[i]!)
      moves[h - 1]![i] = Math.log(Math.max(sum / h, floor))
    }
  }
  return { returns, moves }
}

/** 1 where the price rose over the horizon, 0 where it fell, ½ where it closed flat (or the outcome is not known). */
export const upLabels = (returns: Float64Array): Float32Array =>
  Float32Array.from(returns, (r) => (r > 0 ? 1 : r < 0 ? 0 : 0.5))

/** Row-major [rows × horizons]: returns ahead over their forecast scale; 0 if there is no outcome. */
export function scaledTargets(returns: readonly Float64Array[], sigma: readonly Float64Array[]): Float32Array {
  const width = returns.length
  const n = returns[0]?.length ?? 0
  const targets = new Float32Array(n * width)
  for (let h = 0; h < width; h++) {
    for (let i = 0; i < n; i++) {
      const z = returns[h]![i]! / sigma[h]![i]!
      targets[i * width + h] = Number.isFinite(z) ? z : 0
    }
  }
  return targets
}
