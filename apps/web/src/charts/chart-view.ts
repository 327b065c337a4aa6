import type { IChartApi, Logical } from 'lightweight-charts'
import { clampWithin, panRange, type VisibleRange, wholeRange, zoomRange } from './visible-range.ts'

/** Which candles are on the screen, and the ways to change it. */
export interface ChartView {
  readonly spanCandles: number
  /** Candles for so many pixels at the present zoom. */
  candlesOfPx(px: number): number
  zoomAtPx(xPx: number, steps: number): void
  zoomAtMiddle(steps: number): void
  pan(candles: number): void
  /** Moves the prices by so many pixels (above 0: down); absent where the price axis always fits what is seen. */
  panPrice?(px: number): void
  reset(): void
  /** Brings a stretch of candles into the middle, zoomed in where all were shown. */
  lookAt(from: number, to: number): void
  /** Puts the present range on the chart again, after its size has changed. */
  apply(): void
}

export function createChartView(chart: IChartApi, count: number): ChartView {
  let range: VisibleRange = wholeRange(count)
  const scale = chart.timeScale()
  const show = (next: VisibleRange) => {
    range = next
    if (scale.width() > 0) scale.setVisibleLogicalRange({ from: next.from as Logical, to: next.to as Logical })
  }
  const indexAtPx = (xPx: number) => range.from + (xPx / Math.max(1, scale.width())) * (range.to - range.from)
  return {
    get spanCandles() {
      return range.to - range.from
    },
    candlesOfPx: (px) => (px / Math.max(1, scale.width())) * (range.to - range.from),
    zoomAtPx: (xPx, steps) => show(zoomRange(range, indexAtPx(xPx), steps, count)),
    zoomAtMiddle: (steps) => show(zoomRange(range, (range.from + range.to) / 2, steps, count)),
    pan: (candles) => show(panRange(range, candles, count)),
    reset: () => show(wholeRange(count)),
    lookAt(from, to) {
      const shown = range.to - range.from
      const span = Math.max(to - from + 20, Math.min(shown, Math.max(60, count / 8)))
      const middle = (from + to) / 2
      show(clampWithin({ from: middle - span / 2, to: middle + span / 2 }, wholeRange(count)))
    },
    apply: () => show(range),
  }
}
