import { type Spot, trianglePoints } from '../marker-shapes.ts'

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
