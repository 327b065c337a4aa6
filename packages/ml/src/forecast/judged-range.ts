import type { FeatureTable } from '../features/feature-table.ts'
import type { RawForecast } from './raw-forecast.ts'

/** Rows whose windows end at a judged candle and whose inputs are known. */
export const rowsLookedAt = (table: FeatureTable, from: number, to: number, lookback: number): Int32Array =>
  Int32Array.from({ length: to - from + lookback - 1 }, (_, k) => from - lookback + 1 + k).filter(
    (i) => i >= 0 && !Number.isNaN(table.sigma[i]!),
  )

/** The forecasts of earlier candles, and after them those of a part's. */
export function withTail(whole: RawForecast, part: RawForecast): RawForecast {
  const joined = (name: 'quantiles' | 'pUp' | 'lstm' | 'transformer'): Float64Array => {
    const column = whole[name].slice()
    column.set(part[name], column.length - part[name].length)
    return column
  }
  return {
    from: whole.from,
    to: whole.to,
    quantiles: joined('quantiles'),
    pUp: joined('pUp'),
    lstm: joined('lstm'),
    transformer: joined('transformer'),
  }
}
