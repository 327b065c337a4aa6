import type { CandleRow } from '@shapecast/contracts/market'
import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts'
import {
  type ChartFrame,
  clampWithin,
  followNew,
  isNearOldest,
  moveRange,
  panWithin,
  type VisibleRange,
  zoomWithin,
} from './visible-range.ts'

export interface ViewState {
  /** Where it began, with prices that fit by themselves. */
  readonly isHome: boolean
  readonly isNearOldest: boolean
}

export interface ViewOptions {
  /** Its prices can be moved; absent where they always fit what is seen. */
  readonly prices?: ISeriesApi<SeriesType>
  onChange?(state: ViewState): void
  /** Where another view of the same candles was left. */
  readonly moved?: VisibleRange | null
}

/** Which candles and prices are on the screen, and the ways to change it. It shows its frame's home once candles have come. */
export function createChartView(
  chart: IChartApi,
  frame: ChartFrame,
  { prices, onChange, moved = null }: ViewOptions = {},
) {
  const scale = chart.timeScale()
  let count = 0
  let range: VisibleRange = { from: 0, to: 1 }
  let isHome = true
  let fitsPrices = true

  const limits = () => frame.limits(count, scale.width())
  const state = (): ViewState => ({ isHome: isHome && fitsPrices, isNearOldest: count > 0 && isNearOldest(range) })
  const put = () => {
    // The library counts a range from the middle of a candle to the middle of another; ours are edges.
    if (scale.width() > 0 && count > 0) scale.setVisibleLogicalRange({ from: range.from + 0.5, to: range.to - 0.5 })
  }
  const show = (next: VisibleRange) => {
    range = next
    put()
    onChange?.(state())
  }
  const move = (next: VisibleRange) => {
    isHome = isHome && next.from === range.from && next.to === range.to
    show(next)
  }
  const goHome = () => show(frame.home(count, scale.width()))
  const span = () => range.to - range.from
  const candlesOfPx = (px: number) => (px / Math.max(1, scale.width())) * span()
  const zoom = (anchor: number, steps: number) => move(zoomWithin(range, anchor, steps, limits()))
  const panPrice = (series: ISeriesApi<SeriesType>, px: number) => {
    const seen = series.priceScale().getVisibleRange()
    const [from, to] = [series.coordinateToPrice(px), series.coordinateToPrice(0)]
    if (seen === null || from === null || to === null) return
    const by = to - from
    fitsPrices = false
    series.priceScale().setVisibleRange({ from: seen.from + by, to: seen.to + by })
    onChange?.(state())
  }

  return {
    get spanCandles() {
      return span()
    },
    get state() {
      return state()
    },
    /** What was moved to; null where it began. */
    get moved() {
      return isHome ? null : range
    },
    /** Candles for so many pixels at the present zoom. */
    candlesOfPx,
    zoomAtPx: (xPx: number, steps: number) => zoom(range.from + candlesOfPx(xPx), steps),
    zoomAtMiddle: (steps: number) => zoom((range.from + range.to) / 2, steps),
    pan: (candles: number) => move(panWithin(range, candles, limits().whole)),
    // Moves the prices by so many pixels (above 0: down); absent where the price axis always fits what is seen.
    ...(prices !== undefined && { panPrice: (px: number) => panPrice(prices, px) }),
    reset(): void {
      isHome = true
      fitsPrices = true
      prices?.priceScale().setAutoScale(true)
      goHome()
    },
    /** Brings a stretch of candles into the middle, zoomed in where all were shown. */
    lookAt(from: number, to: number): void {
      const wanted = Math.max(to - from + 20, Math.min(span(), Math.max(60, count / 8)))
      const middle = (from + to) / 2
      move(clampWithin({ from: middle - wanted / 2, to: middle + wanted / 2 }, limits().whole))
    },
    /** Puts the present range on the chart again, after its size has changed. */
    apply(): void {
      if (isHome) goHome()
      else put()
    },
    /** The candles are others now: keeps what is seen in its place. */
    candlesChanged(change: RowChange, next: number) {
      const before = count
      count = next
      if (before === 0 && moved !== null) {
        isHome = false
        return show(clampWithin(moved, limits().whole))
      }
      if (before === 0 || change.kind === 'other') {
        isHome = true
        return goHome()
      }
      if (change.kind === 'moved') return show(clampWithin(moveRange(range, change.by), limits().whole))
      if (change.kind === 'tail') return show(followNew(range, before, next - before))
    },
  }
}
export type ChartView = ReturnType<typeof createChartView>

/**
 * How a list of candles became another one: `none`; `tail`: the same up to index `from`, then changed or new; `moved`:
 * what had index 0 has index `by` now (below 0: the oldest went); `other`: nothing in common.
 */
export type RowChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'tail'; readonly from: number }
  | { readonly kind: 'moved'; readonly by: number }
  | { readonly kind: 'other' }

const indexOfTime = (rows: readonly CandleRow[], t: number) => rows.findIndex((row) => row[0] === t)

/** Compares by identity: a candle that has not changed is the same object in both lists. */
export function rowChange(before: readonly CandleRow[], after: readonly CandleRow[]): RowChange {
  if (before === after) return { kind: 'none' }
  const firstBefore = before[0]
  const firstAfter = after[0]
  if (firstBefore === undefined || firstAfter === undefined) return { kind: 'other' }
  if (firstBefore[0] === firstAfter[0] && after.length >= before.length) {
    let from = before.length
    while (from > 0 && before[from - 1] !== after[from - 1]) from--
    // Only what follows the last difference is known to be the same; a difference may lie deeper.
    let first = from
    for (let i = 0; i < from; i++)
      if (before[i] !== after[i]) {
        first = i
        break
      }
    return first === before.length && after.length === before.length ? { kind: 'none' } : { kind: 'tail', from: first }
  }
  const added = indexOfTime(after, firstBefore[0])
  if (added >= 0) return { kind: 'moved', by: added }
  const gone = indexOfTime(before, firstAfter[0])
  return gone > 0 ? { kind: 'moved', by: -gone } : { kind: 'other' }
}
