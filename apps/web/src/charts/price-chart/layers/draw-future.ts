import { chartColors, colors, tint } from '../../../shared/theme/tokens.ts'
import { CHART_FONT_11 } from '../../chart-look.ts'
import type { Spot } from '../../marker-shapes.ts'
import { type FanShape, fanShape, monotoneSlopes } from '../fan-shape.ts'
import { indexOfTime } from '../price-model.ts'
import type { PriceCanvas } from '../price-scene.ts'

const ZONE = tint(colors.accent, 0.045)
const BAND_90 = tint(colors.accent, 0.13)
const BAND_50 = tint(colors.accent, 0.2)

/** Where the known candles end, px. */
const edgeOf = ({ scene, x, snapX }: PriceCanvas) => snapX(x(scene.model.count - 1))

/** The ground of the time that is still to come. */
export function drawFutureZone(canvas: PriceCanvas): void {
  const left = Math.max(0, edgeOf(canvas))
  if (left >= canvas.widthPx) return
  canvas.context.fillStyle = ZONE
  canvas.context.fillRect(left, 0, canvas.widthPx - left, canvas.heightPx)
}

/** The dashed line at the last candle, and at the foot of the zone how far it reaches. */
export function drawFutureEdge(canvas: PriceCanvas): void {
  const { context, scene, widthPx, heightPx, hairPx } = canvas
  const edge = edgeOf(canvas)
  if (edge < 0 || edge >= widthPx) return
  context.strokeStyle = chartColors.lastCandle
  context.lineWidth = Math.max(1, hairPx)
  context.setLineDash([4, 4])
  context.beginPath()
  context.moveTo(edge + 0.5, 0)
  context.lineTo(edge + 0.5, heightPx)
  context.stroke()
  context.setLineDash([])
  context.font = CHART_FONT_11
  if (edge + 8 + context.measureText(scene.futureLabel).width > widthPx) return
  context.fillStyle = colors.text2
  context.textBaseline = 'bottom'
  context.fillText(scene.futureLabel, edge + 8, heightPx - 6)
}

/** Continues the path along `spots`, from the first to the last or backwards. */
function follow(context: CanvasRenderingContext2D, spots: readonly Spot[], backwards = false): void {
  const slopes = monotoneSlopes(spots)
  const order = spots.map((_, i) => i)
  if (backwards) order.reverse()
  let before = order[0]!
  for (const i of order.slice(1)) {
    const [a, b] = [spots[before]!, spots[i]!]
    const third = (b.x - a.x) / 3
    context.bezierCurveTo(a.x + third, a.y + third * slopes[before]!, b.x - third, b.y - third * slopes[i]!, b.x, b.y)
    before = i
  }
}

function fillBand(context: CanvasRenderingContext2D, { upper, lower }: FanShape['outer'], fill: string): void {
  const end = lower.at(-1)!
  context.beginPath()
  context.moveTo(upper[0]!.x, upper[0]!.y)
  follow(context, upper)
  context.lineTo(end.x, end.y)
  follow(context, lower, true)
  context.closePath()
  context.fillStyle = fill
  context.fill()
}

/** The forecast of the next candles: the 90 % band, the 50 % band over it, the median on top. */
export function drawFan(canvas: PriceCanvas): void {
  const { context, scene, x, y } = canvas
  if (scene.fan === null || scene.fan.steps.length === 0) return
  const index = indexOfTime(scene.model, scene.fan.t)
  if (index < 0) return
  const shape = fanShape(scene.fan, index, x, y)
  fillBand(context, shape.outer, BAND_90)
  fillBand(context, shape.inner, BAND_50)
  context.beginPath()
  context.moveTo(shape.median[0]!.x, shape.median[0]!.y)
  follow(context, shape.median)
  context.strokeStyle = colors.accent
  context.lineWidth = 2
  context.lineJoin = 'round'
  context.stroke()
}
