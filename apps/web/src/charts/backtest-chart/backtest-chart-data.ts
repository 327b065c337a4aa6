import type { Trade } from '@shapecast/contracts/backtest-results'
import type { CandleRow } from '@shapecast/contracts/market'
import { drawdownsPct } from '@shapecast/engine/indicators/drawdown'
import { type IndexSpan, indexAtOrBefore } from '../candle-index.ts'
import type { LineId } from '../indicator-lines.ts'
import type { PriceFan } from '../price-chart/price-input.ts'
import type { ValueSpan } from '../primitives/level-line-primitive.ts'
import type { PriceLevel } from '../primitives/price-levels.ts'
import { type MarkedTrade, markersOfTrades, type TradeMarker } from '../trade-markers.ts'

/** What the backtest chart draws. Times are open times of candles in ms, oldest first. */
export interface BacktestChartInput {
  readonly candles: readonly CandleRow[]
  readonly trades: readonly MarkedTrade[]
  readonly openPosition: Pick<Trade, 'side' | 'entryTime' | 'entryPrice'> | null
  readonly equity: readonly { readonly t: number; readonly equity: number }[]
  readonly predictions: readonly { readonly t: number; readonly price: number }[]
  /** In quote. */
  readonly initialBalance: number
  /** Ranges on which a model of the run was trained, first and last open time. */
  readonly seen: readonly { readonly from: number; readonly to: number }[]
  /** The same money held, in quote. */
  readonly hold?: readonly { readonly t: number; readonly equity: number }[]
  /** Equity and hold in percent since the first candle, rather than in quote. */
  readonly inPercent?: boolean
  /** What each trade made stands beside its exit. */
  readonly namesResults?: boolean
  /** Prices that matter now: what was paid, and where a stop or target waits. */
  readonly levels?: readonly PriceLevel[]
  /** Percent below the highest equity at which it ends; drawn where it is not 0. */
  readonly maxDrawdownPct?: number
  /** Indicators over the candles. */
  readonly lines?: readonly PriceLine[]
  /** The forecast of the next candles, with the words at its foot. */
  readonly future?: FutureFan | null
}

export interface FutureFan {
  readonly fan: PriceFan
  readonly label: string
}

/** Prices by candle, NaN where there is none. */
export interface PriceLine {
  readonly name: string
  readonly look: LineId
  readonly values: Float64Array
}

export interface Point {
  readonly t: number
  readonly value: number
}

export interface BacktestChartData {
  readonly candles: readonly CandleRow[]
  readonly times: readonly number[]
  /** In quote, as is `hold`, or `inPercent` since the first candle. */
  readonly equity: readonly Point[]
  readonly inPercent: boolean
  readonly namesResults: boolean
  /** Percent below the highest equity so far, 0 or less. */
  readonly drawdown: readonly Point[]
  readonly predictions: readonly Point[]
  readonly markers: readonly TradeMarker[]
  readonly seen: readonly IndexSpan[]
  /** Where the equity began: a balance in quote, or 0%. */
  readonly beginning: number
  readonly hold: readonly Point[]
  readonly levels: readonly PriceLevel[]
  readonly lines: readonly PriceLine[]
  readonly maxDrawdownPct: number
  readonly future: FutureFan | null
}

/**
 * The last of the ascending `points` that falls on each candle, named by the candle's time, so that a long curve has
 * never more points than there are candles. Points before the first candle are left out; with `ahead`, those at least
 * one candle after the last keep their own time.
 */
export function pointsOnCandles(points: readonly Point[], times: readonly number[], ahead = false): Point[] {
  const last = times.at(-1)
  const stepMs = times.length > 1 ? last! - times.at(-2)! : Number.POSITIVE_INFINITY
  const drawn: Point[] = []
  for (const point of points) {
    if (!Number.isFinite(point.value)) continue
    const index = indexAtOrBefore(times, point.t)
    if (index < 0) continue
    const t = ahead && last !== undefined && point.t >= last + stepMs ? point.t : times[index]!
    if (drawn.at(-1)?.t === t) drawn.pop()
    drawn.push({ t, value: point.value })
  }
  return drawn
}

/** Overlapping and touching spans made one, in order. */
export function mergeSpans(spans: readonly IndexSpan[]): IndexSpan[] {
  const merged: IndexSpan[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const before = merged.at(-1)
    if (before !== undefined && span.from <= before.to + 1)
      merged[merged.length - 1] = { from: before.from, to: Math.max(before.to, span.to) }
    else merged.push(span)
  }
  return merged
}

/** Percent since the first point. */
const percentOf = (points: readonly Point[]): Point[] =>
  points.map(({ t, value }) => ({ t, value: 100 * (value / points[0]!.value - 1) }))

/** Puts everything on the candles of the chart. */
export function prepareBacktestChart(input: BacktestChartInput): BacktestChartData {
  const times = input.candles.map((row) => row[0])
  const first = times[0]
  const spans: IndexSpan[] = []
  for (const range of input.seen) {
    if (first === undefined || range.to < first || range.from > times.at(-1)!) continue
    spans.push({ from: Math.max(0, indexAtOrBefore(times, range.from)), to: indexAtOrBefore(times, range.to) })
  }
  const { inPercent = false } = input
  const drawn = (points: BacktestChartInput['equity']) => {
    const placed = pointsOnCandles(
      points.map(({ t, equity: value }) => ({ t, value })),
      times,
    )
    return inPercent ? percentOf(placed) : placed
  }
  // Also below what was reached before the first candle.
  const drawdowns = drawdownsPct(
    input.equity.map(({ equity }) => equity),
    input.initialBalance,
  )
  return {
    candles: input.candles,
    times,
    equity: drawn(input.equity),
    inPercent,
    namesResults: input.namesResults ?? false,
    drawdown: pointsOnCandles(
      input.equity.map(({ t }, i) => ({ t, value: 0 - drawdowns[i]! })),
      times,
    ),
    predictions: pointsOnCandles(
      input.predictions.map(({ t, price }) => ({ t, value: price })),
      times,
      true,
    ),
    markers: markersOfTrades(input.trades, input.openPosition, times),
    seen: mergeSpans(spans),
    beginning: inPercent ? 0 : input.initialBalance,
    hold: drawn(input.hold ?? []),
    levels: input.levels ?? [],
    lines: input.lines ?? [],
    maxDrawdownPct: input.maxDrawdownPct ?? 0,
    future: input.future ?? null,
  }
}

/** The predictions by candle index, as their segments are drawn; the one ahead of the last candle stands after it. */
export function forecastsOfPoints({
  candles,
  times,
  predictions,
}: Pick<BacktestChartData, 'candles' | 'times' | 'predictions'>): { closes: Float64Array; forecasts: Float64Array } {
  const forecasts = new Float64Array(times.length + 1).fill(Number.NaN)
  const indexOf = new Map(times.map((t, i) => [t, i]))
  for (const { t, value } of predictions) forecasts[indexOf.get(t) ?? times.length] = value
  return { closes: Float64Array.from(candles, (row) => row[4]), forecasts }
}

/** Smallest and largest value of the points between two candle indices, both ends included; null where there is none. */
export function spanOfPoints(
  points: readonly Point[],
  times: readonly number[],
): (from: number, to: number) => ValueSpan | null {
  const pointTimes = points.map((point) => point.t)
  return (from, to) => {
    const first = times[Math.max(0, Math.ceil(from))]
    const last = times[Math.min(times.length - 1, Math.floor(to))]
    if (first === undefined || last === undefined) return null
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let i = indexAtOrBefore(pointTimes, first - 1) + 1; i < points.length && points[i]!.t <= last; i++) {
      min = Math.min(min, points[i]!.value)
      max = Math.max(max, points[i]!.value)
    }
    return min > max ? null : { min, max }
  }
}
