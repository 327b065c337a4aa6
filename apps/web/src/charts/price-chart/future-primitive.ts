import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { CHART_FONT_11 } from '../chart-look.ts'
import type { Spot } from '../primitives/markers.ts'
import { drawLine, type Pane, panePrimitive } from '../primitives/pane-primitive.ts'
import { type FanStep, FUTURE_STEPS, type PriceFan } from './price-input.ts'
import { indexOfTime, type PriceModel } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

/** What is drawn of the future: the fan, on the candles that are known. */
export interface FutureScene extends Pick<PriceScene, 'fan' | 'futureLabel'> {
  readonly model: Pick<PriceModel, 'times' | 'count' | 'stepMs'>
}

/** Outlines of a fan: each edge begins at the last known close and has one spot a step, in order of time. */
export interface FanShape {
  readonly outer: { readonly upper: readonly Spot[]; readonly lower: readonly Spot[] }
  readonly inner: { readonly upper: readonly Spot[]; readonly lower: readonly Spot[] }
  readonly median: readonly Spot[]
}

/** `index` is that of the fan's last known candle; `x` and `y` give pixels of an index and of a price. */
export function fanShape(
  fan: PriceFan,
  index: number,
  x: (index: number) => number,
  y: (price: number) => number,
): FanShape {
  const steps = fan.steps.slice(0, FUTURE_STEPS)
  const edge = (quantile: keyof FanStep): Spot[] => [
    { x: x(index), y: y(fan.price) },
    ...steps.map((step, i) => ({ x: x(index + 1 + i), y: y(step[quantile]) })),
  ]
  return {
    outer: { upper: edge('q95'), lower: edge('q05') },
    inner: { upper: edge('q75'), lower: edge('q25') },
    median: edge('q50'),
  }
}

/**
 * Slopes for a smooth curve through `spots` that never overshoots them (Fritsch and Carlson, Monotone Piecewise Cubic
 * Interpolation, SIAM J. Numer. Anal. 17, 1980; here with the harmonic mean of Fritsch and Butland, 1984). `spots`
 * ascend in x.
 */
export function monotoneSlopes(spots: readonly Spot[]): number[] {
  const last = spots.length - 1
  if (last < 1) return spots.map(() => 0)
  const secants = Array.from({ length: last }, (_, i) => {
    const [a, b] = [spots[i]!, spots[i + 1]!]
    return b.x === a.x ? 0 : (b.y - a.y) / (b.x - a.x)
  })
  return spots.map((_, i) => {
    if (i === 0) return secants[0]!
    if (i === last) return secants[last - 1]!
    const [left, right] = [secants[i - 1]!, secants[i]!]
    return left * right <= 0 ? 0 : (2 * left * right) / (left + right)
  })
}

/** The price range of the steps of a fan that the chart draws; null where it has none. */
export function fanRange(fan: PriceFan): { min: number; max: number } | null {
  const steps = fan.steps.slice(0, FUTURE_STEPS)
  if (steps.length === 0) return null
  return {
    min: Math.min(fan.price, ...steps.map((step) => step.q05)),
    max: Math.max(fan.price, ...steps.map((step) => step.q95)),
  }
}

export const FUTURE_LOOK = {
  zone: tint(colors.accent, 0.045),
  band90: tint(colors.accent, 0.13),
  band50: tint(colors.accent, 0.2),
  median: colors.accent,
  lastCandle: chartColors.lastCandle,
  words: colors.text2,
}

/**
 * The time that is still to come: its ground behind the candles, over them the fan of the forecast, and the dashed line
 * at the last candle.
 */
export function futureZone(sceneOf: () => FutureScene, look: typeof FUTURE_LOOK) {
  /** Where the known candles end, px, on a device pixel. */
  const edgeOf = ({ axes, density }: Pane, { count }: FutureScene['model']) =>
    Math.round(axes.x(count - 1) * density) / density
  return panePrimitive(
    {
      bottom(pane) {
        const { context, width, height } = pane
        const { model } = sceneOf()
        const left = Math.max(0, edgeOf(pane, model))
        if (model.count === 0 || left >= width) return
        context.fillStyle = look.zone
        context.fillRect(left, 0, width - left, height)
      },
      top(pane) {
        const { context, width, height, axes } = pane
        const { model, fan, futureLabel } = sceneOf()
        if (model.count === 0) return
        const index = fan === null ? -1 : indexOfTime(model, fan.t)
        if (fan !== null && fan.steps.length > 0 && index >= 0)
          drawFan(context, fanShape(fan, index, axes.x, axes.y), look)
        const left = edgeOf(pane, model)
        if (left < 0 || left >= width) return
        context.strokeStyle = look.lastCandle
        context.lineWidth = 1
        context.setLineDash([4, 4])
        drawLine(context, left + 0.5, 0, left + 0.5, height)
        context.setLineDash([])
        context.font = CHART_FONT_11
        if (left + 8 + context.measureText(futureLabel).width > width) return
        context.fillStyle = look.words
        context.textBaseline = 'bottom'
        context.fillText(futureLabel, left + 8, height - 6)
      },
    },
    (_from, to) => {
      const { model, fan } = sceneOf()
      const index = fan === null ? -1 : indexOfTime(model, fan.t)
      const range = fan === null || index < 0 || to <= index ? null : fanRange(fan)
      return range && { priceRange: { minValue: range.min, maxValue: range.max } }
    },
  )
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
function drawFan(context: CanvasRenderingContext2D, shape: FanShape, look: typeof FUTURE_LOOK): void {
  fillBand(context, shape.outer, look.band90)
  fillBand(context, shape.inner, look.band50)
  context.beginPath()
  context.moveTo(shape.median[0]!.x, shape.median[0]!.y)
  follow(context, shape.median)
  context.strokeStyle = look.median
  context.lineWidth = 2
  context.lineJoin = 'round'
  context.stroke()
}
