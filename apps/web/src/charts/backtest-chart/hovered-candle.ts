import { indexAtOrBefore } from '../candle-index.ts'
import type { BacktestChartData, Point } from './backtest-chart-data.ts'

export interface HoveredCandle {
  readonly t: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In quote; null before the first point of the curve. */
  readonly equity: number | null
  /** The prediction of this very candle's close; null where there is none. */
  readonly prediction: number | null
}

const valueAtOrBefore = (points: readonly Point[], times: readonly number[], t: number) =>
  points[indexAtOrBefore(times, t)]?.value ?? null

/** Looks up what is known of the candle at an index; null where there is no such candle. */
export function hoverLookup(data: BacktestChartData): (index: number) => HoveredCandle | null {
  const equityTimes = data.equity.map((point) => point.t)
  const predictions = new Map(data.predictions.map((point) => [point.t, point.value]))
  return (index) => {
    const row = data.candles[index]
    if (row === undefined) return null
    const [t, open, high, low, close] = row
    return {
      t,
      open,
      high,
      low,
      close,
      equity: valueAtOrBefore(data.equity, equityTimes, t),
      prediction: predictions.get(t) ?? null,
    }
  }
}

const ROWS = 24

/** Up to 24 candles spread evenly over the chart, the first and the last among them. */
export function sampledCandles(data: BacktestChartData): HoveredCandle[] {
  const lookup = hoverLookup(data)
  const count = Math.min(ROWS, data.candles.length)
  const rows: HoveredCandle[] = []
  for (let i = 0; i < count; i++) {
    const index = count === 1 ? 0 : Math.round((i * (data.candles.length - 1)) / (count - 1))
    const candle = lookup(index)
    if (candle !== null) rows.push(candle)
  }
  return rows
}
