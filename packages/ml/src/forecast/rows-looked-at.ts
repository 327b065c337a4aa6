import type { FeatureTable } from '../features/feature-table.ts'

/** Rows whose windows end at a judged candle and whose inputs are known. */
export const rowsLookedAt = (table: FeatureTable, from: number, to: number, lookback: number): Int32Array =>
  Int32Array.from({ length: to - from + lookback - 1 }, (_, k) => from - lookback + 1 + k).filter(
    (i) => i >= 0 && !Number.isNaN(table.sigma[i]!),
  )
