import type { Spot } from './markers.ts'
import { type LinearAxes, panePrimitive } from './pane-primitive.ts'

/** A shorter segment would be a dot. */
const LEAST_PX = 8
/** With at least so many candles in view forecasts are one line: segments would be too short to tell apart. */
const LINE_FROM_CANDLES = 60

/**
 * Forecasts of one candle ahead, as polylines. From 60 candles in view on they are one line through what was expected of
 * each candle, broken where nothing was. With fewer each is a segment from the close at which it was made to the close
 * that it expects, so that a forecast is not taken for the course itself. `forecasts` and `closes` are by candle index,
 * NaN where there is none; the last forecast may be of the candle after the last close.
 */
export function forecastLines(forecasts: Float64Array, closes: Float64Array, span: LinearAxes): Spot[][] {
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

/**
 * Draws what a network expected of each candle, dashed and above the candles. `forecastsOf` is asked at every frame, null
 * where there are none. Lengths of dash and gap in px.
 */
export const forecastSegments = (
  forecastsOf: () => Forecasts | null,
  { color, dash }: { readonly color: string; readonly dash: readonly number[] },
) =>
  panePrimitive(
    {
      top({ context, axes }) {
        const said = forecastsOf()
        if (said === null) return
        context.strokeStyle = color
        context.lineWidth = 1.5
        context.setLineDash([...dash])
        context.beginPath()
        for (const [from, ...others] of forecastLines(said.forecasts, said.closes, axes)) {
          context.moveTo(from!.x, from!.y)
          for (const to of others) context.lineTo(to.x, to.y)
        }
        context.stroke()
        context.setLineDash([])
      },
    },
    (from, to) => {
      const { forecasts } = forecastsOf() ?? {}
      const known = forecasts
        ?.slice(Math.max(0, Math.floor(from)), Math.ceil(to) + 1)
        .filter((one) => !Number.isNaN(one))
      if (known === undefined || known.length === 0) return null
      return { priceRange: { minValue: Math.min(...known), maxValue: Math.max(...known) } }
    },
  )
