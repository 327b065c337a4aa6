import { type Spot, trianglePoints } from '../marker-shapes.ts'

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
