export interface Spot {
  readonly x: number
  readonly y: number
}

/** Corners of a triangle whose middle is at `at`: `up` points to the top of the screen. */
export function trianglePoints(at: Spot, sizePx: number, up: boolean): readonly [Spot, Spot, Spot] {
  const half = sizePx / 2
  const tip = up ? -half : half
  return [
    { x: at.x, y: at.y + tip },
    { x: at.x + half, y: at.y - tip },
    { x: at.x - half, y: at.y - tip },
  ]
}

/** Where an entry's triangle stands: below the low of its candle for a long, above the high for a short. */
export function entrySpot(x: number, highY: number, lowY: number, long: boolean, gapPx: number): Spot {
  return { x, y: long ? lowY + gapPx : highY - gapPx }
}

/** Anything that is drawn at a candle and gives way to a weightier one of its kind. */
export interface Thinnable {
  readonly kind: string
  readonly index: number
  readonly weight: number
}

const GAP_PX = 9
const CROWDED_GAP_PX = 20
/** Below this width of a candle the candles themselves would vanish behind markers at the narrow gap. */
const CROWDED_BELOW_PX = 0.8

/** Least distance between two markers of a kind. */
export const markerGapPx = (barSpacingPx: number): number => (barSpacingPx < CROWDED_BELOW_PX ? CROWDED_GAP_PX : GAP_PX)

/** Candles that share one marker of a kind: a power of two, so that zooming in adds markers and moves none. */
export function candlesPerMarker(barSpacingPx: number, minGapPx: number): number {
  if (barSpacingPx <= 0) return 1
  return 2 ** Math.max(0, Math.ceil(Math.log2(minGapPx / barSpacingPx)))
}

/**
 * At most one marker of a kind in each group of `perMarker` candles: the one of the largest weight. The groups are
 * counted from the first candle, not from the edge of the screen, so panning neither hides nor shows a marker.
 * `markers` are in order of their index, and so is what comes back.
 */
export function thinMarkers<M extends Thinnable>(markers: readonly M[], perMarker: number): readonly M[] {
  if (perMarker <= 1) return markers
  const best = new Map<string, M>()
  for (const marker of markers) {
    const cell = `${marker.kind}:${Math.floor(marker.index / perMarker)}`
    const other = best.get(cell)
    if (other === undefined || marker.weight > other.weight) best.set(cell, marker)
  }
  return [...best.values()].sort((a, b) => a.index - b.index)
}

/** The markers with an index in [from, to]; `markers` are in order. */
export function markersBetween<M extends Thinnable>(markers: readonly M[], from: number, to: number): readonly M[] {
  let start = 0
  let end = markers.length
  while (start < end) {
    const middle = (start + end) >>> 1
    if (markers[middle]!.index < from) start = middle + 1
    else end = middle
  }
  let stop = start
  while (stop < markers.length && markers[stop]!.index <= to) stop++
  return markers.slice(start, stop)
}

/** A triangle with its middle at `at`, set off from what lies below by an outline of 2 px. */
export function drawTriangle(
  context: CanvasRenderingContext2D,
  at: Spot,
  sizePx: number,
  up: boolean,
  fill: string,
  outline: string,
): void {
  const [tip, right, left] = trianglePoints(at, sizePx, up)
  context.lineJoin = 'round'
  context.beginPath()
  context.moveTo(tip.x, tip.y)
  context.lineTo(right.x, right.y)
  context.lineTo(left.x, left.y)
  context.closePath()
  context.strokeStyle = outline
  context.lineWidth = 4
  context.stroke()
  context.fillStyle = fill
  context.fill()
}
