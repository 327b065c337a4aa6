import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts'
import type { ChartView } from '../chart-view.ts'
import { clampWithin, panWithin, type VisibleRange, zoomWithin } from '../visible-range.ts'
import { followNew, homeRange, isNearOldest, moveRange, priceLimits } from './price-range.ts'
import type { RowChange } from './row-change.ts'

export interface PriceViewState {
  /** At the newest candles, at the first zoom, with prices that fit by themselves. */
  readonly isHome: boolean
  readonly isNearOldest: boolean
}

export interface PriceView extends Omit<ChartView, 'lookAt'> {
  panPrice(px: number): void
  /** The candles on the screen are others now: keeps what is seen in its place. */
  candlesChanged(change: RowChange, count: number): void
  readonly state: PriceViewState
  /** What was moved to; null at the newest candles. */
  readonly moved: VisibleRange | null
}

/**
 * Which candles and prices are on the screen. `shown` is the number of candles at first; `onChange` is told of every
 * change. It begins at `moved`, where another view of the same candles was left.
 */
export function createPriceView(
  chart: IChartApi,
  series: ISeriesApi<SeriesType>,
  shown: number,
  onChange: (state: PriceViewState) => void,
  moved: VisibleRange | null = null,
): PriceView {
  const scale = chart.timeScale()
  let count = 0
  let range: VisibleRange = { from: 0, to: 1 }
  let isHome = true
  let fitsPrices = true

  const limits = () => priceLimits(count, scale.width())
  const state = (): PriceViewState => ({ isHome: isHome && fitsPrices, isNearOldest: isNearOldest(range) })
  const put = () => {
    // The library counts a range from the middle of a candle to the middle of another; ours are edges.
    if (scale.width() > 0 && count > 0) scale.setVisibleLogicalRange({ from: range.from + 0.5, to: range.to - 0.5 })
  }
  const show = (next: VisibleRange) => {
    range = next
    put()
    onChange(state())
  }
  const move = (next: VisibleRange) => {
    isHome = isHome && next.from === range.from && next.to === range.to
    show(next)
  }
  const goHome = () => show(homeRange(count, shown, scale.width()))
  const span = () => range.to - range.from
  const candlesOfPx = (px: number) => (px / Math.max(1, scale.width())) * span()
  const zoom = (anchor: number, steps: number) => move(zoomWithin(range, anchor, steps, limits()))

  return {
    get spanCandles() {
      return span()
    },
    get state() {
      return state()
    },
    get moved() {
      return isHome ? null : range
    },
    candlesOfPx,
    zoomAtPx: (xPx, steps) => zoom(range.from + candlesOfPx(xPx), steps),
    zoomAtMiddle: (steps) => zoom((range.from + range.to) / 2, steps),
    pan: (candles) => move(panWithin(range, candles, limits().whole)),
    panPrice(px) {
      const prices = series.priceScale().getVisibleRange()
      const [from, to] = [series.coordinateToPrice(px), series.coordinateToPrice(0)]
      if (prices === null || from === null || to === null) return
      const by = to - from
      fitsPrices = false
      series.priceScale().setVisibleRange({ from: prices.from + by, to: prices.to + by })
      onChange(state())
    },
    reset() {
      isHome = true
      fitsPrices = true
      series.priceScale().setAutoScale(true)
      goHome()
    },
    apply() {
      if (isHome) goHome()
      else put()
    },
    candlesChanged(change, next) {
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
