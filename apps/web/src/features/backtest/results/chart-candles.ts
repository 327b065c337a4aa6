import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'

/** Most candles that one call returns and that one chart draws. */
export const MAX_CHART_CANDLES = 10_000
const MIN_COUNT = 300

export interface ChartStretch {
  readonly timeframe: Timeframe
  readonly startTime: number
  /** Open time of the last candle, ms. */
  readonly endTime: number
}

export interface CandleQuery {
  readonly timeframe: Timeframe
  readonly limit: number
  readonly before: number
}

/** Most candles of `timeframe` that a stretch touches; wider ones than its own may hang over at both ends. */
const candlesIn = (stretch: ChartStretch, timeframe: Timeframe) =>
  Math.floor((stretch.endTime - stretch.startTime) / TIMEFRAME_MS[timeframe]) +
  (timeframe === stretch.timeframe ? 1 : 2)

/** The finest timeframe, from the run's own upwards, of which a chart can draw the whole run. */
export function chartTimeframe(stretch: ChartStretch): Timeframe {
  const own = TIMEFRAMES.indexOf(stretch.timeframe)
  return TIMEFRAMES.slice(own).find((timeframe) => candlesIn(stretch, timeframe) <= MAX_CHART_CANDLES) ?? '1d'
}

/** Which candles to ask for: those of the run at `timeframe`, at least 300. */
export function candleQuery(stretch: ChartStretch, timeframe: Timeframe): CandleQuery {
  const limit = Math.min(MAX_CHART_CANDLES, Math.max(MIN_COUNT, candlesIn(stretch, timeframe)))
  return { timeframe, limit, before: stretch.endTime + 1 }
}

/** The candles of the run among those that came, the one in which it begins included. */
export function candlesOfRun(rows: readonly CandleRow[], stretch: ChartStretch, timeframe: Timeframe): CandleRow[] {
  const step = TIMEFRAME_MS[timeframe]
  return rows.filter((row) => row[0] + step > stretch.startTime && row[0] <= stretch.endTime)
}
