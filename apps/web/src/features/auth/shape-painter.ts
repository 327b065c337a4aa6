import { painted } from '#kit/theme/scheme.ts'
import { colors, tint } from '#kit/theme/tokens.ts'

/**
 * The line of the landing page: a smooth periodic curve (the model) and a staircase that wanders around it (the
 * market). Pure: the same place gives the same height, so that the scene can drift for ever without a state.
 */

/** Heights of the curve, as shares of the scene from its top, every tenth of its width. */
const KNOTS = [
  0.841, 0.79, 0.655, 0.59, 0.612, 0.607, 0.6, 0.667, 0.712, 0.668, 0.573, 0.53, 0.56, 0.63, 0.66, 0.62, 0.58, 0.62,
  0.72, 0.81,
] as const
const KNOTS_A_WIDTH = 10
const STEPS_A_WIDTH = 280
/** After so many widths everything repeats. */
export const PERIOD = KNOTS.length / KNOTS_A_WIDTH
const STEPS = STEPS_A_WIDTH * PERIOD

const wrap = (index: number, length: number) => ((index % length) + length) % length
const knot = (index: number) => KNOTS[wrap(index, KNOTS.length)]!

/** Height of the curve at `u` widths from the start, by Catmull-Rom interpolation of the knots. */
export function curveAt(u: number): number {
  const position = u * KNOTS_A_WIDTH
  const index = Math.floor(position)
  const t = position - index
  const [a, b, c, d] = [knot(index - 1), knot(index), knot(index + 1), knot(index + 2)]
  return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
}

/** Residuals of the market, one a step: an autoregression of seeded noise with a few shocks. */
const residuals = (() => {
  const values = new Float64Array(STEPS)
  let state = 20_251_120
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  let level = 0
  // Twice around, so that the end meets the start.
  for (let index = 0; index < 2 * STEPS; index++) {
    const shock = noise() > 0.475 ? 5 : 1
    level = level * 0.88 + noise() * 0.026 * shock
    values[index % STEPS] = level
  }
  return values
})()

/** The step that `u` falls into: where it begins and ends in widths, and the height of the market there. */
export function stepAt(u: number): { from: number; to: number; height: number } {
  const index = Math.floor(u * STEPS_A_WIDTH)
  const from = index / STEPS_A_WIDTH
  const middle = (index + 0.5) / STEPS_A_WIDTH
  return { from, to: (index + 1) / STEPS_A_WIDTH, height: curveAt(middle) + residuals[wrap(index, STEPS)]! }
}

/** Half the width of a band of the fan, as a share of the scene's height, `ahead` widths past the last candle. */
export const fanHalfWidth = (ahead: number, band: number): number => band * 0.17 * (Math.max(0, ahead) / 0.265) ** 0.62

/** Where the last candle stands, as a share of the width. */
const NOW = 0.735
/** A narrow screen shows less of the line rather than the whole of it squeezed. */
const LEAST_SPAN_PX = 960
/** Nested bands of the fan, widest first, as shares of the widest. */
const BANDS = [1, 0.62, 0.3] as const
/** Share of the drawing that the line takes; the fan opens in the rest. */
const LINE_SHARE = 0.72
/** How far the words of the landing page reach from the left, px. */
const WORDS_PX = 500
/** Px between two points of a curve. */
const STRIDE_PX = 3

interface SceneFrame {
  widthPx: number
  heightPx: number
  /** How much is drawn: 0 nothing, 1 all of it. */
  drawn: number
  /** How far the scene has drifted, in the units of the curve. */
  drift: number
}

interface Scene {
  context: CanvasRenderingContext2D
  width: number
  height: number
  nowX: number
  /** The place on the curve that stands at `x`. */
  placeAt(x: number): number
  xAt(place: number): number
}

/** Paints one frame: staircase, curve up to now, fan after it. */
export function paintShape(context: CanvasRenderingContext2D, frame: SceneFrame): void {
  const { widthPx: width, heightPx: height, drawn, drift } = frame
  const span = Math.max(width, LEAST_SPAN_PX)
  const nowX = NOW * width
  const nowPlace = drift + NOW
  const scene: Scene = {
    context,
    width,
    height,
    nowX,
    placeAt: (x) => nowPlace + (x - nowX) / span,
    xAt: (place) => nowX + (place - nowPlace) * span,
  }
  const line = Math.min(1, drawn / LINE_SHARE)
  context.clearRect(0, 0, width, height)
  if (line > 0) {
    paintMarket(scene, nowX * line)
    paintCurve(scene, nowX * line)
  }
  if (line < 1) return
  const opened = (drawn - LINE_SHARE) / (1 - LINE_SHARE)
  paintFan(scene, opened)
  paintNow(scene, opened)
}

/** From `from` at the left edge to `to` a little past the middle, as opacities. */
function fadeIn({ context, nowX }: Scene, color: string, from: number, to: number): CanvasGradient {
  const gradient = context.createLinearGradient(0, 0, nowX, 0)
  gradient.addColorStop(0, painted(tint(color, from)))
  gradient.addColorStop(0.55, painted(tint(color, to)))
  return gradient
}

function paintMarket(scene: Scene, headX: number): void {
  const { context, height, placeAt, xAt } = scene
  const stairs = new Path2D()
  const residuals = new Path2D()
  for (let x = 0; x < headX; ) {
    const step = stepAt(placeAt(x) + 1e-9)
    const endX = Math.min(headX, xAt(step.to))
    const y = step.height * height
    stairs.lineTo(x, y)
    stairs.lineTo(endX, y)
    residuals.moveTo(x, y)
    residuals.lineTo(x, curveAt(placeAt(x)) * height)
    x = Math.max(endX, x + 1e-3)
  }
  context.lineWidth = 1
  context.strokeStyle = fadeIn(scene, colors.text2, 0.05, 0.16)
  context.stroke(residuals)
  context.lineWidth = 1.2
  context.strokeStyle = fadeIn(scene, colors.text2, 0.25, 0.62)
  context.stroke(stairs)
}

function curvePath({ height, placeAt }: Scene, fromX: number, toX: number): Path2D {
  const path = new Path2D()
  for (let x = fromX; x < toX; x += STRIDE_PX) path.lineTo(x, curveAt(placeAt(x)) * height)
  path.lineTo(toX, curveAt(placeAt(toX)) * height)
  return path
}

function paintCurve(scene: Scene, headX: number): void {
  const { context } = scene
  context.lineWidth = 2.25
  context.lineJoin = 'round'
  context.strokeStyle = fadeIn(scene, colors.accent, 0.4, 1)
  context.stroke(curvePath(scene, 0, headX))
}

function paintFan(scene: Scene, opened: number): void {
  const { context, width, height, nowX, placeAt } = scene
  const endX = nowX + (width - nowX) * opened
  if (endX <= nowX) return
  const points = Math.ceil((endX - nowX) / STRIDE_PX)
  const edge = (index: number, band: number, side: 1 | -1) => {
    const x = nowX + ((endX - nowX) * index) / points
    const ahead = placeAt(x) - placeAt(nowX)
    context.lineTo(x, (curveAt(placeAt(x)) + side * fanHalfWidth(ahead, band) * opened) * height)
  }
  for (const band of BANDS) {
    context.beginPath()
    for (let i = 0; i <= points; i++) edge(i, band, -1)
    for (let i = points; i >= 0; i--) edge(i, band, 1)
    context.closePath()
    context.fillStyle = painted(tint(colors.accent, 0.085))
    context.fill()
  }
  context.setLineDash([3, 5])
  context.lineWidth = 2
  context.lineCap = 'round'
  context.strokeStyle = painted(colors.accent)
  context.stroke(curvePath(scene, nowX, endX))
  context.setLineDash([])
  context.lineCap = 'butt'
}

function paintNow({ context, height, nowX, placeAt }: Scene, opened: number): void {
  const x = Math.round(nowX) + 0.5
  // Where the words reach as far as the line does, it begins below them.
  const top = height * (nowX < WORDS_PX ? 0.5 : 0.2)
  const gradient = context.createLinearGradient(0, top, 0, height)
  gradient.addColorStop(0, painted(tint(colors.text3, 0.55 * opened)))
  gradient.addColorStop(0.6, painted(tint(colors.text3, 0.55 * opened)))
  gradient.addColorStop(1, painted(tint(colors.text3, 0)))
  context.setLineDash([5, 5])
  context.lineWidth = 1
  context.strokeStyle = gradient
  context.beginPath()
  context.moveTo(x, top)
  context.lineTo(x, height)
  context.stroke()
  context.setLineDash([])
  context.beginPath()
  context.arc(nowX, curveAt(placeAt(nowX)) * height, 6, 0, 2 * Math.PI)
  context.fillStyle = painted(colors.accent)
  context.fill()
  context.lineWidth = 3
  context.strokeStyle = painted(colors.bg)
  context.stroke()
}
