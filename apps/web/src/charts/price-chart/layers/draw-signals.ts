import { colors } from '../../../shared/theme/tokens.ts'
import { entrySpot } from '../../marker-shapes.ts'
import { candlesPerMarker, markerGapPx, markersBetween, thinMarkers } from '../../marker-thinning.ts'
import { drawTriangle } from '../../primitives/draw-triangle.ts'
import type { SignalMark } from '../price-model.ts'
import type { PriceCanvas } from '../price-scene.ts'

const TRIANGLE_PX = 8
const GAP_PX = 10
/** Room above and below the candles that the triangles need. */
export const SIGNAL_MARGIN_PX = GAP_PX + TRIANGLE_PX

/**
 * Draws BUY as a triangle below its candle that points up, SELL as one above that points down. Zoomed out, the most
 * confident of a stretch remain; which ones is kept from one frame to the next.
 */
export function createSignalLayer(): (canvas: PriceCanvas) => void {
  let kept: { of: readonly SignalMark[]; perMarker: number; marks: readonly SignalMark[] } | null = null
  return ({ context, scene, x, y, spacingPx, from, to }) => {
    const signals = scene.predictions?.signals
    if (signals === undefined || signals.length === 0) return
    const perMarker = candlesPerMarker(spacingPx, markerGapPx(spacingPx))
    if (kept?.of !== signals || kept.perMarker !== perMarker)
      kept = { of: signals, perMarker, marks: thinMarkers(signals, perMarker) }
    const { high, low, close } = scene.model
    const [above, below] = scene.type === 'line' ? [close, close] : [high, low]
    for (const { kind, index } of markersBetween(kept.marks, from, to)) {
      const isBuy = kind === 'BUY'
      const spot = entrySpot(x(index), y(above[index]!), y(below[index]!), isBuy, GAP_PX)
      drawTriangle(context, spot, TRIANGLE_PX, isBuy, isBuy ? colors.up : colors.down, colors.surface)
    }
  }
}
