import type { Spot } from './marker-shapes.ts'

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
