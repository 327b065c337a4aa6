import { createChart, type Logical } from 'lightweight-charts'
import { painted } from '#kit/theme/scheme.ts'
import { colors, FONT_FAMILY } from '#kit/theme/tokens.ts'
import { attachChartGestures } from '../chart-gestures.ts'
import { chartLook } from '../chart-look.ts'
import { createChartView, rowChange, type ViewState } from '../chart-view.ts'
import type { VisibleRange } from '../visible-range.ts'
import { type ChartSpot, timeAt } from './drawn-lines.ts'
import { nearestLine, type PriceHover } from './hovered.ts'
import { FUTURE_STEPS } from './price-input.ts'
import { priceFrame } from './price-range.ts'
import type { PriceScene } from './price-scene.ts'
import { addPriceSeries, VOLUME_RATIO } from './price-series.ts'

const PADDING_RATIO = 0.05
/** Least distance between two prices of the axis, in heights of its text: about five of them at 300 px. */
const TICK_DENSITY = 4

export interface PriceChartEvents {
  onHover(hover: PriceHover | null): void
  onView(state: ViewState): void
  /** A press on a price, quote per base, at the open time of a candle, ms. */
  onPress?(spot: ChartSpot): void
}

const isSameHover = (a: PriceHover | null, b: PriceHover | null) =>
  a?.index === b?.index && a?.line?.name === b?.line?.name && a?.line?.index === b?.line?.index

/**
 * Draws a scene into `element` and listens to its wheel, pointer and keys. `shown` is the number of candles in view at
 * first; `formatPrice` writes prices by the market's tick. `moved` is what a chart of the same candles showed before.
 */
export function createPriceChart(
  element: HTMLElement,
  first: PriceScene,
  shown: number,
  formatPrice: (price: number) => string,
  events: PriceChartEvents,
  moved: VisibleRange | null = null,
) {
  // The library lays itself out in a table, which would be read aloud as one.
  const host = document.createElement('div')
  host.setAttribute('aria-hidden', 'true')
  host.style.height = '100%'
  element.append(host)

  const empty: PriceScene['model']['rows'] = []
  let rows = empty
  let scene = first

  const look = chartLook()
  const chart = createChart(host, {
    ...look,
    rightPriceScale: {
      ...look.rightPriceScale,
      scaleMargins: { top: PADDING_RATIO, bottom: VOLUME_RATIO + PADDING_RATIO },
      tickMarkDensity: TICK_DENSITY,
    },
    timeScale: { ...look.timeScale, shiftVisibleRangeOnNewBar: false, enableConflation: true },
  })
  const series = addPriceSeries(chart, () => scene, formatPrice)
  const { carrier } = series
  const view = createChartView(chart, priceFrame(shown), { prices: carrier, onChange: events.onView, moved })
  let isRemoved = false
  const onSize = () => {
    view.apply()
    // While the library lays itself out, it may put the range of before over this one.
    queueMicrotask(() => isRemoved || view.apply())
  }
  chart.timeScale().subscribeSizeChange(onSize)

  function show(next: PriceScene): void {
    const change = rowChange(rows, next.model.rows)
    const before = rows.length
    scene = next
    rows = next.model.rows
    series.put(change, before)
    if (change.kind !== 'none') view.candlesChanged(change, scene.model.count)
    else view.apply()
  }
  show(first)

  let hover: PriceHover | null = null
  chart.subscribeCrosshairMove(({ logical, point, paneIndex }) => {
    let next: PriceHover | null = null
    const index = logical === undefined || point === undefined ? -1 : Math.round(logical)
    if (point !== undefined && index >= 0 && index < scene.model.count + FUTURE_STEPS) {
      const x = (i: number) => chart.timeScale().logicalToCoordinate(i as Logical) ?? Number.NaN
      const y = (price: number) => carrier.priceToCoordinate(price) ?? Number.NaN
      next = { index, line: paneIndex === 0 ? nearestLine(scene.predictions, index, point, x, y) : null }
    }
    if (isSameHover(hover, next)) return
    hover = next
    events.onHover(next)
  })
  chart.subscribeClick(({ logical, point, paneIndex }) => {
    // Other panes have other scales.
    const price = point === undefined || paneIndex !== 0 ? null : carrier.coordinateToPrice(point.y)
    const t = logical === undefined ? null : timeAt(scene.model, Math.round(logical))
    if (price !== null && price > 0 && t !== null) events.onPress?.({ t, price })
  })
  const detach = attachChartGestures(element, view)

  return {
    /** Draws another scene; what is seen stays in its place. */
    show,
    draw: series.draw,
    mark: series.mark,
    relabel: series.relabel,
    reset: () => view.reset(),
    /** A picture of all panes under a title, as large as the screen draws it. */
    picture: (title: string) => titled(chart.takeScreenshot(true), title, element.clientWidth),
    /** The part that was moved to; null at the newest candles. */
    moved: () => view.moved,
    remove(): void {
      isRemoved = true
      detach()
      chart.remove()
      host.remove()
    },
  }
}
export type PriceChartHandle = ReturnType<typeof createPriceChart>

const TITLE_PX = 36

/** A drawing on the ground of a card, under its title. `widthPx`: how wide the page shows it. */
function titled(drawing: HTMLCanvasElement, title: string, widthPx: number): HTMLCanvasElement {
  const ratio = drawing.width / widthPx
  const canvas = document.createElement('canvas')
  canvas.width = drawing.width
  canvas.height = drawing.height + Math.round(TITLE_PX * ratio)
  const context = canvas.getContext('2d')!
  const { ground, words } = painted({ ground: colors.surface, words: colors.text })
  context.fillStyle = ground
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = words
  context.font = `600 ${14 * ratio}px ${FONT_FAMILY}`
  context.textBaseline = 'middle'
  context.fillText(title, 12 * ratio, (TITLE_PX * ratio) / 2)
  context.drawImage(drawing, 0, canvas.height - drawing.height)
  return canvas
}
