import { colors } from '#kit/theme/tokens.ts'
import {
  candlesPerMarker,
  entrySpot,
  markerGapPx,
  markersBetween,
  type Spot,
  thinMarkers,
  trianglePoints,
} from '../primitives/markers.ts'
import { type LinearAxes, panePrimitive } from '../primitives/pane-primitive.ts'
import type { SignalMark } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

/** Corners around a triangle, `byPx` off its edges, its tips cut: what an outline of that width would cover. */
export function groundOf(corners: readonly Spot[], byPx: number): Spot[] {
  const middleX = corners.reduce((sum, { x }) => sum + x, 0) / corners.length
  const middleY = corners.reduce((sum, { y }) => sum + y, 0) / corners.length
  return corners.flatMap((a, i) => {
    const b = corners[(i + 1) % corners.length]!
    const length = Math.hypot(b.x - a.x, b.y - a.y)
    let [nx, ny] = [(b.y - a.y) / length, (a.x - b.x) / length]
    if (nx * (a.x - middleX) + ny * (a.y - middleY) < 0) [nx, ny] = [-nx, -ny]
    return [
      { x: a.x + nx * byPx, y: a.y + ny * byPx },
      { x: b.x + nx * byPx, y: b.y + ny * byPx },
    ]
  })
}

/** The triangle inside a triangle that leaves an edge `edgePx` wide. */
export function holeOf(corners: readonly [Spot, Spot, Spot], edgePx: number): Spot[] {
  const [a, b, c] = corners
  const sides = [
    Math.hypot(b.x - c.x, b.y - c.y),
    Math.hypot(c.x - a.x, c.y - a.y),
    Math.hypot(a.x - b.x, a.y - b.y),
  ] as const
  const around = sides[0] + sides[1] + sides[2]
  const area = Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2
  const inRadius = (2 * area) / around
  const x = (sides[0] * a.x + sides[1] * b.x + sides[2] * c.x) / around
  const y = (sides[0] * a.y + sides[1] * b.y + sides[2] * c.y) / around
  const share = Math.max(0, 1 - edgePx / inRadius)
  return corners.map((corner) => ({ x: x + (corner.x - x) * share, y: y + (corner.y - y) * share }))
}

const TRIANGLE_PX = 8
const GROUND_PX = 2
const EDGE_PX = 1.25

/** Corners around (0, 0) of the mark of a signal: what sets it off from the candles, itself, and the hole of a hollow one. */
export interface MarkShape {
  readonly ground: readonly Spot[]
  readonly body: readonly Spot[]
  readonly hole: readonly Spot[]
}

function markShape(up: boolean): MarkShape {
  const body = trianglePoints({ x: 0, y: 0 }, TRIANGLE_PX, up)
  return { ground: groundOf(body, GROUND_PX), body, hole: holeOf(body, EDGE_PX) }
}

export const MARK_PX = TRIANGLE_PX
export const MARK_SHAPES = { BUY: markShape(true), SELL: markShape(false) } as const

const GAP_PX = 10
/** Room above and below the candles that the triangles need. */
const MARGIN_PX = GAP_PX + MARK_PX

export const SIGNAL_COLORS = { BUY: colors.up, SELL: colors.down, ground: colors.surface }

function addShape(context: CanvasRenderingContext2D, corners: readonly Spot[], at: Spot): void {
  const [first, ...others] = corners
  if (first === undefined) return
  context.moveTo(at.x + first.x, at.y + first.y)
  for (const corner of others) context.lineTo(at.x + corner.x, at.y + corner.y)
  context.closePath()
}

/** Fills the same shape at every spot in one path: a stroke and a fill a mark would cost more than the candles do. */
function fillShapes(
  context: CanvasRenderingContext2D,
  corners: readonly Spot[],
  spots: readonly Spot[],
  fill: string,
): void {
  if (spots.length === 0) return
  context.beginPath()
  for (const spot of spots) addShape(context, corners, spot)
  context.fillStyle = fill
  context.fill()
}

/**
 * Draws BUY as a triangle below its candle that points up, SELL as one above that points down: filled where it was sealed
 * live, hollow where it was worked out afterwards. Zoomed out, the most confident of a stretch remain; which ones is kept
 * from one frame to the next.
 */
export function signalMarks(sceneOf: () => PriceScene, colors: typeof SIGNAL_COLORS) {
  let kept: { of: readonly SignalMark[]; perMarker: number; marks: readonly SignalMark[] } | null = null
  const marksAt = (signals: readonly SignalMark[], spacingPx: number): readonly SignalMark[] => {
    const perMarker = candlesPerMarker(spacingPx, markerGapPx(spacingPx))
    if (kept?.of !== signals || kept.perMarker !== perMarker)
      kept = { of: signals, perMarker, marks: thinMarkers(signals, perMarker) }
    return kept.marks
  }
  return panePrimitive(
    {
      top({ context, axes }) {
        const scene = sceneOf()
        const signals = scene.predictions?.signals ?? []
        const marks = markersBetween(marksAt(signals, axes.spacingPx), axes.from, axes.to)
        drawSignals(context, marks, scene, axes, colors)
      },
    },
    () => {
      const { model, predictions } = sceneOf()
      // Kept where no mark is in view just now, so that the prices do not jump when one comes in.
      return model.count === 0 || (predictions?.signals.length ?? 0) === 0
        ? null
        : { priceRange: null, margins: { above: MARGIN_PX, below: MARGIN_PX } }
    },
  )
}

/** Draws marks beside their candles, all of a kind at once. */
export function drawSignals(
  context: CanvasRenderingContext2D,
  marks: readonly SignalMark[],
  { model: { high, low, close }, type }: Pick<PriceScene, 'model' | 'type'>,
  { x, y }: Pick<LinearAxes, 'x' | 'y'>,
  colors: typeof SIGNAL_COLORS,
): void {
  const [above, below] = type === 'line' ? [close, close] : [high, low]
  for (const kind of ['BUY', 'SELL'] as const) {
    const spots: Spot[] = []
    const hollow: Spot[] = []
    for (const mark of marks) {
      if (mark.kind !== kind) continue
      const spot = entrySpot(x(mark.index), y(above[mark.index]!), y(below[mark.index]!), kind === 'BUY', GAP_PX)
      spots.push(spot)
      if (mark.origin !== 'live') hollow.push(spot)
    }
    const { ground, body, hole } = MARK_SHAPES[kind]
    fillShapes(context, ground, spots, colors.ground)
    fillShapes(context, body, spots, colors[kind])
    fillShapes(context, hole, hollow, colors.ground)
  }
}
