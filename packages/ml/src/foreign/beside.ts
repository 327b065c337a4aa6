import type { BesideSeries } from '@shapecast/contracts/foreign-card'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { BLOCK_CANDLES, BLOCK_HISTORY } from '../features/segments.ts'

/** Open times in ms of the candles of another series that forecasts of these candles rest on. */
export function besideRange(candles: Candles, own: Timeframe, { timeframe }: BesideSeries) {
  const [first, last] = [candles.ts[0] ?? 0, candles.ts[candles.length - 1] ?? 0]
  const step = TIMEFRAME_MS[timeframe]
  // Of the same timeframe as many candles as are given are enough, as they are for the own features.
  const history = timeframe === own ? 0 : (BLOCK_CANDLES + BLOCK_HISTORY) * step
  return { fromMs: Math.max(0, first - history - step), toMs: last + TIMEFRAME_MS[own] - step }
}

/**
 * A column of another series, by the candles of one's own: at each what the other's last candle says that had closed by its
 * close. NaN where that very candle is missing, so that a late one is never stood in for by the one before.
 */
export function alignedColumn(
  candles: Candles,
  own: Timeframe,
  other: Candles,
  timeframe: Timeframe,
  column: Float64Array,
): Float64Array {
  const [step, otherStep] = [TIMEFRAME_MS[own], TIMEFRAME_MS[timeframe]]
  return Float64Array.from(candles.ts, (ts) => {
    const opened = Math.floor((ts + step) / otherStep) * otherStep - otherStep
    const k = indexAtOrAfter(other, opened)
    return k < other.length && other.ts[k] === opened ? column[k]! : Number.NaN
  })
}
