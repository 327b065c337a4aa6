import { colors, tint } from '../theme/tokens.ts'
import { curveAt, fanHalfWidth, stepAt } from './shape-curve.ts'

/** Where the last candle stands, as a share of the width. */
const NOW = 0.735
/** Nested bands of the fan, widest first, as shares of the widest. */
const BANDS = [1, 0.62, 0.3] as const
/** Share of the drawing that the line takes; the fan opens in the rest. */
const LINE_SHARE = 0.72

export interface SceneFrame {
  widthPx: number
  heightPx: number
  /** How much is drawn: 0 nothing, 1 all of it. */
  drawn: number
  /** How far the scene has drifted, in widths. */
  drift: number
}

/** Paints one frame: staircase, curve up to now, fan after it. */
export function paintShape(context: CanvasRenderingContext2D, frame: SceneFrame): void {
  const { widthPx: w, heightPx: h, drawn, drift } = frame
  context.clearRect(0, 0, w, h)
  const line = Math.min(1, drawn / LINE_SHARE)
  const fan = Math.max(0, (drawn - LINE_SHARE) / (1 - LINE_SHARE))
  const head = NOW * line
  paintMarket(context, w, h, head, drift)
  paintCurve(context, w, h, head, drift)
  if (line === 1) {
    paintFan(context, w, h, fan, drift)
    paintNow(context, w, h, fan, drift)
  }
}

function fadeIn(context: CanvasRenderingContext2D, w: number, color: string, from: number, to: number) {
  const gradient = context.createLinearGradient(0, 0, w * NOW, 0)
  gradient.addColorStop(0, tint(color, from))
  gradient.addColorStop(0.55, tint(color, to))
  return gradient
}

function paintMarket(context: CanvasRenderingContext2D, w: number, h: number, head: number, drift: number) {
  const stairs = new Path2D()
  const residuals = new Path2D()
  let u = drift
  let isFirst = true
  while (u < drift + head) {
    const step = stepAt(u)
    const x = Math.max(0, (step.from - drift) * w)
    const end = Math.min(head, step.to - drift) * w
    const y = step.height * h
    if (isFirst) stairs.moveTo(x, y)
    else stairs.lineTo(x, y)
    stairs.lineTo(end, y)
    residuals.moveTo(x, y)
    residuals.lineTo(x, curveAt(drift + x / w) * h)
    isFirst = false
    u = step.to + 1e-9
  }
  context.lineWidth = 1
  context.strokeStyle = fadeIn(context, w, colors.text2, 0.05, 0.16)
  context.stroke(residuals)
  context.lineWidth = 1.2
  context.strokeStyle = fadeIn(context, w, colors.text2, 0.25, 0.62)
  context.stroke(stairs)
}

function curvePath(w: number, h: number, fromShare: number, toShare: number, drift: number, offset = (_: number) => 0) {
  const path = new Path2D()
  const points = Math.max(2, Math.ceil(((toShare - fromShare) * w) / 3))
  for (let i = 0; i <= points; i++) {
    const share = fromShare + ((toShare - fromShare) * i) / points
    const y = (curveAt(drift + share) + offset(share)) * h
    if (i === 0) path.moveTo(share * w, y)
    else path.lineTo(share * w, y)
  }
  return path
}

function paintCurve(context: CanvasRenderingContext2D, w: number, h: number, head: number, drift: number) {
  if (head <= 0) return
  context.lineWidth = 2.25
  context.lineJoin = 'round'
  context.strokeStyle = fadeIn(context, w, colors.accent, 0.4, 1)
  context.stroke(curvePath(w, h, 0, head, drift))
}

function paintFan(context: CanvasRenderingContext2D, w: number, h: number, opened: number, drift: number) {
  const end = NOW + (1 - NOW) * opened
  if (end <= NOW) return
  const points = Math.max(2, Math.ceil(((end - NOW) * w) / 3))
  for (const band of BANDS) {
    context.beginPath()
    for (let side = 1; side >= -1; side -= 2)
      for (let i = 0; i <= points; i++) {
        const along = side === 1 ? i : points - i
        const share = NOW + ((end - NOW) * along) / points
        const y = curveAt(drift + share) - side * fanHalfWidth(share - NOW, band) * opened
        context.lineTo(share * w, y * h)
      }
    context.closePath()
    context.fillStyle = tint(colors.accent, 0.085)
    context.fill()
  }
  context.setLineDash([3, 5])
  context.lineWidth = 2
  context.lineCap = 'round'
  context.strokeStyle = colors.accent
  context.stroke(curvePath(w, h, NOW, end, drift))
  context.setLineDash([])
  context.lineCap = 'butt'
}

function paintNow(context: CanvasRenderingContext2D, w: number, h: number, opened: number, drift: number) {
  const x = Math.round(NOW * w) + 0.5
  const gradient = context.createLinearGradient(0, h * 0.2, 0, h)
  gradient.addColorStop(0, tint(colors.text3, 0.55 * opened))
  gradient.addColorStop(0.6, tint(colors.text3, 0.55 * opened))
  gradient.addColorStop(1, tint(colors.text3, 0))
  context.setLineDash([5, 5])
  context.lineWidth = 1
  context.strokeStyle = gradient
  context.beginPath()
  context.moveTo(x, h * 0.2)
  context.lineTo(x, h)
  context.stroke()
  context.setLineDash([])
  context.beginPath()
  context.arc(x, curveAt(drift + NOW) * h, 6, 0, 2 * Math.PI)
  context.fillStyle = colors.accent
  context.fill()
  context.lineWidth = 3
  context.strokeStyle = colors.bg
  context.stroke()
}
