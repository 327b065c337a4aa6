import type { Feature } from '@shapecast/contracts/features'
import type { Candles } from '@shapecast/engine/candles'
import type { FeatureTable } from '../features/feature-table.ts'
import type { Predictions } from './predictions.ts'

/** Numbers by name, one a candle. */
export type InputColumns = Readonly<Record<string, Float64Array>>

/** One thing that a model looks at, and the inputs that say it. */
export interface LookedAt extends Feature {
  readonly columns: readonly string[]
}

/** A model over given candles, taken apart, so that it can be asked what it would say of other inputs. */
export interface TakenApart {
  readonly candles: Candles
  readonly timeframeMs: number
  /** Candles ahead at which direction is called. */
  readonly signalHorizon: number
  /** Candles in a window. */
  readonly lookback: number
  /** Candles (indices) whose forecasts are judged: `from` … `to`−1, which the model has not learnt from. */
  readonly from: number
  readonly to: number
  /** Candles whose inputs those forecasts look at, where they are known; oldest first. */
  readonly rows: Int32Array
  /** Everything that it is given at each candle's close. */
  readonly inputs: InputColumns
  readonly lookedAt: readonly LookedAt[]
  /** What cannot be said of these candles, in words; null where nothing is left out. */
  readonly caveat: string | null
  /** Forecasts of candles `from` … `to`−1. A column that is the very one of `inputs` counts as unchanged. */
  forecastFrom(inputs: InputColumns): Promise<Predictions>
  close(): Promise<void>
}

/** Rows whose windows end at a judged candle and whose inputs are known. */
export const rowsLookedAt = (table: FeatureTable, from: number, to: number, lookback: number): Int32Array =>
  Int32Array.from({ length: to - from + lookback - 1 }, (_, k) => from - lookback + 1 + k).filter(
    (i) => i >= 0 && !Number.isNaN(table.sigma[i]!),
  )
