import type { AutoscaleInfo, Logical } from 'lightweight-charts'
import type { TradeMarker } from '../trade-markers.ts'
import {
  candlesPerMarker,
  drawTriangle,
  entrySpot,
  markerGapPx,
  markersBetween,
  type Spot,
  thinMarkers,
} from './markers.ts'
import { type DrawTarget, drawInPixels, PanePrimitive } from './pane-primitive.ts'

export interface TradeMarkersStyle {
  readonly up: string
  readonly down: string
  /** Around each marker, so that it stands out from the candles. */
  readonly outline: string
  /** Font of the results beside exits, and how one is written; without it none are. */
  readonly results?: { readonly font: string; readonly format: (netPnL: number) => string }
}

const TRIANGLE_PX = 8
const RING_RADIUS_PX = 3.25
const ENTRY_GAP_PX = 10
/** Room above and below the candles that the triangles need. */
const MARGIN_PX = ENTRY_GAP_PX + TRIANGLE_PX

/** More results than that would cover the candles. */
const MOST_RESULTS = 12
const RESULT_HEIGHT_PX = 14

/** Entries as triangles, exits as rings, over the candles; with their results a dotted line leads from entry to exit. Zoomed out, the largest trades of a stretch remain. */
export class TradeMarkersPrimitive extends PanePrimitive {
  readonly #markers: readonly TradeMarker[]
  readonly #highs: Float64Array
  readonly #lows: Float64Array
  readonly #style: TradeMarkersStyle
  #thinned: { perMarker: number; markers: readonly TradeMarker[] } | null = null

  /** `highs` and `lows` of the chart's candles, by index. */
  constructor(markers: readonly TradeMarker[], highs: Float64Array, lows: Float64Array, style: TradeMarkersStyle) {
    super({ top: (target) => this.#draw(target) })
    this.#markers = markers
    this.#highs = highs
    this.#lows = lows
    this.#style = style
  }

  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    const visible = markersBetween(this.#markers, from, to)
    if (visible.length === 0) return null
    let minValue = Number.POSITIVE_INFINITY
    let maxValue = Number.NEGATIVE_INFINITY
    for (const { price } of visible) {
      if (price < minValue) minValue = price
      if (price > maxValue) maxValue = price
    }
    return { priceRange: { minValue, maxValue }, margins: { above: MARGIN_PX, below: MARGIN_PX } }
  }

  #visible(from: number, to: number, barSpacingPx: number): readonly TradeMarker[] {
    const perMarker = candlesPerMarker(barSpacingPx, markerGapPx(barSpacingPx))
    if (this.#thinned?.perMarker !== perMarker)
      this.#thinned = { perMarker, markers: thinMarkers(this.#markers, perMarker) }
    return markersBetween(this.#thinned.markers, from, to)
  }

  #draw(target: DrawTarget): void {
    const attached = this.attachment
    const range = attached?.chart.timeScale().getVisibleLogicalRange()
    if (attached === null || range === null || range === undefined) return
    const scale = attached.chart.timeScale()
    const x = (index: number) => scale.logicalToCoordinate(index as Logical) ?? 0
    const y = (price: number) => attached.series.priceToCoordinate(price) ?? -100
    const { up, down, outline } = this.#style
    drawInPixels(target, ({ context }) => {
      context.lineJoin = 'round'
      const visible = this.#visible(range.from - 1, range.to + 1, x(1) - x(0))
      if (this.#style.results !== undefined) this.#drawResults(context, visible, x, y, this.#style.results)
      for (const marker of visible) {
        const long = marker.kind === 'long_entry'
        if (long || marker.kind === 'short_entry') {
          const highY = y(this.#highs[marker.index]!)
          const lowY = y(this.#lows[marker.index]!)
          const spot = entrySpot(x(marker.index), highY, lowY, long, ENTRY_GAP_PX)
          drawTriangle(context, spot, TRIANGLE_PX, long, long ? up : down, outline)
        } else {
          const spot = { x: x(marker.index), y: y(marker.price) }
          drawRing(context, spot, marker.kind === 'profit_exit' ? up : down, outline)
        }
      }
    })
  }

  /** The largest first; a result that would stand on another one is left out. */
  #drawResults(
    context: CanvasRenderingContext2D,
    visible: readonly TradeMarker[],
    x: (index: number) => number,
    y: (price: number) => number,
    { font, format }: NonNullable<TradeMarkersStyle['results']>,
  ): void {
    context.font = font
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    const taken = visible.map(({ index, price }) => ({ left: x(index) - 6, right: x(index) + 6, y: y(price) }))
    let count = 0
    for (const { index, price, trade, kind } of visible.toSorted((a, b) => b.weight - a.weight)) {
      if (trade === undefined) continue
      const at = { x: x(index), y: y(price) }
      context.strokeStyle = kind === 'profit_exit' ? this.#style.up : this.#style.down
      context.fillStyle = context.strokeStyle
      context.lineWidth = 1
      context.setLineDash([1.5, 3])
      context.beginPath()
      context.moveTo(x(Math.max(trade.index, 0)), y(trade.price))
      context.lineTo(at.x, at.y)
      context.stroke()
      context.setLineDash([])
      if (count >= MOST_RESULTS) continue
      const words = format(trade.netPnL)
      const right = at.x - RING_RADIUS_PX - 5
      const left = right - context.measureText(words).width
      const isTaken = taken.some(
        (other) => Math.abs(other.y - at.y) < RESULT_HEIGHT_PX && left < other.right && other.left < right,
      )
      if (isTaken || left < 0) continue
      context.strokeStyle = this.#style.outline
      context.lineWidth = 3
      context.strokeText(words, right, at.y)
      context.fillText(words, right, at.y)
      taken.push({ left, right, y: at.y })
      count++
    }
  }
}

function drawRing(context: CanvasRenderingContext2D, at: Spot, color: string, outline: string): void {
  context.beginPath()
  context.arc(at.x, at.y, RING_RADIUS_PX, 0, 2 * Math.PI)
  context.strokeStyle = outline
  context.lineWidth = 5
  context.stroke()
  context.fillStyle = outline
  context.fill()
  context.strokeStyle = color
  context.lineWidth = 1.75
  context.stroke()
}
