import type { AutoscaleInfo, Logical } from 'lightweight-charts'
import { forecastLines } from '../forecast-segments.ts'
import { type DrawTarget, drawInPixels } from './draw-target.ts'
import { PanePrimitive } from './pane-primitive.ts'

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
