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
import { drawLine, type LinearAxes, panePrimitive } from './pane-primitive.ts'

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

/**
 * Entries as triangles, exits as rings, over the candles; with their results a dotted line leads from entry to exit.
 * Zoomed out, the largest trades of a stretch remain. `highs` and `lows` of the chart's candles, by index.
 */
export function tradeMarkers(
  markers: readonly TradeMarker[],
  highs: Float64Array,
  lows: Float64Array,
  style: TradeMarkersStyle,
) {
  const { up, down, outline } = style
  let thinned: { perMarker: number; markers: readonly TradeMarker[] } | null = null
  const inView = ({ from, to, spacingPx }: LinearAxes): readonly TradeMarker[] => {
    const perMarker = candlesPerMarker(spacingPx, markerGapPx(spacingPx))
    if (thinned?.perMarker !== perMarker) thinned = { perMarker, markers: thinMarkers(markers, perMarker) }
    return markersBetween(thinned.markers, from - 1, to + 1)
  }
  return panePrimitive(
    {
      top({ context, axes }) {
        const { x, y } = axes
        context.lineJoin = 'round'
        const visible = inView(axes)
        if (style.results !== undefined) drawResults(context, visible, axes, style, style.results)
        for (const { kind, index, price } of visible) {
          const long = kind === 'long_entry'
          if (long || kind === 'short_entry') {
            const spot = entrySpot(x(index), y(highs[index]!), y(lows[index]!), long, ENTRY_GAP_PX)
            drawTriangle(context, spot, TRIANGLE_PX, long, long ? up : down, outline)
          } else drawRing(context, { x: x(index), y: y(price) }, kind === 'profit_exit' ? up : down, outline)
        }
      },
    },
    (from, to) => {
      const prices = markersBetween(markers, from, to).map(({ price }) => price)
      if (prices.length === 0) return null
      return {
        priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) },
        margins: { above: MARGIN_PX, below: MARGIN_PX },
      }
    },
  )
}

/** The largest first; a result that would stand on another one is left out. */
function drawResults(
  context: CanvasRenderingContext2D,
  visible: readonly TradeMarker[],
  { x, y }: LinearAxes,
  { up, down, outline }: TradeMarkersStyle,
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
    context.strokeStyle = kind === 'profit_exit' ? up : down
    context.fillStyle = context.strokeStyle
    context.lineWidth = 1
    context.setLineDash([1.5, 3])
    drawLine(context, x(Math.max(trade.index, 0)), y(trade.price), at.x, at.y)
    context.setLineDash([])
    if (count >= MOST_RESULTS) continue
    const words = format(trade.netPnL)
    const right = at.x - RING_RADIUS_PX - 5
    const left = right - context.measureText(words).width
    const isTaken = taken.some(
      (other) => Math.abs(other.y - at.y) < RESULT_HEIGHT_PX && left < other.right && other.left < right,
    )
    if (isTaken || left < 0) continue
    context.strokeStyle = outline
    context.lineWidth = 3
    context.strokeText(words, right, at.y)
    context.fillText(words, right, at.y)
    taken.push({ left, right, y: at.y })
    count++
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
