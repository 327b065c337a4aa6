import type { AutoscaleInfo, Logical } from 'lightweight-charts'
import type { Spot } from './markers.ts'
import { type DrawTarget, drawInPixels, PanePrimitive } from './pane-primitive.ts'

/** A shorter segment would be a dot. */
const LEAST_PX = 8
/** With at least so many candles in view forecasts are one line: segments would be too short to tell apart. */
const LINE_FROM_CANDLES = 60

export interface ForecastSpan {
  readonly from: number
  readonly to: number
  readonly spacingPx: number
  readonly x: (index: number) => number
  readonly y: (price: number) => number
}

/**
 * Forecasts of one candle ahead, as polylines. From 60 candles in view on they are one line through what was expected of
 * each candle, broken where nothing was. With fewer each is a segment from the close at which it was made to the close
 * that it expects, so that a forecast is not taken for the course itself. `forecasts` and `closes` are by candle index,
 * NaN where there is none; the last forecast may be of the candle after the last close.
 */
export function forecastLines(forecasts: Float64Array, closes: Float64Array, span: ForecastSpan): Spot[][] {
  const { spacingPx, x, y } = span
  const last = Math.min(forecasts.length - 1, closes.length, span.to + 1)
  const isLine = span.to - span.from >= LINE_FROM_CANDLES
  const lines: Spot[][] = []
  let open: Spot[] | null = null
  for (let i = Math.max(isLine ? 0 : 1, span.from); i <= last; i++) {
    const forecast = forecasts[i]!
    if (Number.isNaN(forecast)) {
      open = null
    } else if (isLine) {
      if (open === null) {
        open = []
        lines.push(open)
      }
      open.push({ x: x(i), y: y(forecast) })
    } else {
      const from = { x: x(i - 1), y: y(closes[i - 1]!) }
      lines.push([from, { x: from.x + Math.max(LEAST_PX, spacingPx), y: y(forecast) }])
    }
  }
  return lines
}

/** By candle index, `forecasts` up to some candles longer; NaN where there is none. */
export interface Forecasts {
  readonly closes: Float64Array
  readonly forecasts: Float64Array
}

/** Draws what a network expected of each candle, dashed and above the candles. */
export class ForecastSegmentsPrimitive extends PanePrimitive {
  readonly #forecastsOf: () => Forecasts | null
  readonly #look: { readonly color: string; readonly dash: readonly number[] }

  /** `forecastsOf` is asked at every frame, null where there are none. Lengths of dash and gap in px. */
  constructor(forecastsOf: () => Forecasts | null, look: { color: string; dash: readonly number[] }) {
    super({ top: (target) => this.#draw(target) })
    this.#forecastsOf = forecastsOf
    this.#look = look
  }

  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    const forecasts = this.#forecastsOf()?.forecasts
    if (forecasts === undefined) return null
    let minValue = Number.POSITIVE_INFINITY
    let maxValue = Number.NEGATIVE_INFINITY
    const last = Math.min(forecasts.length - 1, Math.ceil(to))
    for (let i = Math.max(0, Math.floor(from)); i <= last; i++) {
      // Comparisons with NaN are false: what is not known asks for no room.
      if (forecasts[i]! < minValue) minValue = forecasts[i]!
      if (forecasts[i]! > maxValue) maxValue = forecasts[i]!
    }
    return minValue > maxValue ? null : { priceRange: { minValue, maxValue } }
  }

  #draw(target: DrawTarget): void {
    const said = this.#forecastsOf()
    const axes = this.linearAxes()
    if (said === null || axes === null) return
    drawInPixels(target, ({ context }) => {
      context.strokeStyle = this.#look.color
      context.lineWidth = 1.5
      context.setLineDash(this.#look.dash as number[])
      context.beginPath()
      for (const [from, ...others] of forecastLines(said.forecasts, said.closes, axes)) {
        context.moveTo(from!.x, from!.y)
        for (const to of others) context.lineTo(to.x, to.y)
      }
      context.stroke()
      context.setLineDash([])
    })
  }
}
