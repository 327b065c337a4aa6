import { CANDLE_COLUMNS } from '@shapecast/contracts/foreign-card'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { featureNames } from '../features/feature-columns.ts'
import { buildFeatureTable } from '../features/feature-table.ts'
import { BLOCK_CANDLES, BLOCK_HISTORY } from '../features/segments.ts'

/** Candles before a row that its features may look at. */
export const HISTORY_CANDLES = BLOCK_HISTORY + BLOCK_CANDLES

/** What a clock says does not drift: hour and weekday are left out. */
const isClock = (name: string): boolean => /^(hour|weekday)_(sin|cos)$/.test(name)

/** The inputs that can drift. */
export const driftingInputs = (inputs: readonly string[]): string[] => inputs.filter((name) => !isClock(name))

/**
 * The named inputs (features, or columns of the candles) of the candles that opened in [fromMs, toMs] and are no warm-up,
 * one column each, all of one length; the newest `most` of them. Names that are not known have an empty column.
 */
export function driftColumns(
  candles: Candles,
  timeframe: Timeframe,
  names: readonly string[],
  range: { fromMs: number; toMs: number },
  most = Number.POSITIVE_INFINITY,
): Float64Array[] {
  const table = buildFeatureTable(candles, timeframe)
  const known = featureNames(timeframe)
  const [probe] = table.features
  const rows: number[] = []
  for (let i = candles.length - 1; i >= 0 && rows.length < most; i--) {
    const ts = candles.ts[i]!
    if (ts >= range.fromMs && ts <= range.toMs && !Number.isNaN(probe![i]!)) rows.push(i)
  }
  rows.reverse()
  return names.map((name) => {
    const raw = CANDLE_COLUMNS.find((column) => column === name)
    const column = raw === undefined ? table.features[known.indexOf(name)] : candles[raw]
    return column === undefined ? new Float64Array(0) : Float64Array.from(rows, (i) => column[i]!)
  })
}
