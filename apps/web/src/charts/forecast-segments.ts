import type { Spot } from './marker-shapes.ts'

/** A shorter segment would be a dot. */
const LEAST_PX = 8
/** Where candles are narrower than this, not every forecast is drawn. */
const THIN_BELOW_PX = 6

export interface Segment {
  readonly from: Spot
  readonly to: Spot
}

export interface ForecastSpan {
  readonly from: number
  readonly to: number
  readonly spacingPx: number
  readonly x: (index: number) => number
  readonly y: (price: number) => number
}

/**
 * Forecasts of one candle ahead as segments from the close at which each was made to the close that it expects. Joined
 * to one line they would look like a forecast of the whole course, and be the last close moved by a candle. `forecasts`
 * and `closes` are by candle index, NaN where there is none. Where candles are narrow the drawn ones are counted from
 * the first candle, so that panning does not make them flicker.
 */
export function forecastSegments(forecasts: Float64Array, closes: Float64Array, span: ForecastSpan): Segment[] {
  const { spacingPx, x, y } = span
  const every = spacingPx >= THIN_BELOW_PX ? 1 : Math.ceil(LEAST_PX / Math.max(spacingPx, 1e-6))
  const lengthPx = Math.max(LEAST_PX, spacingPx)
  const segments: Segment[] = []
  const last = Math.min(forecasts.length - 1, closes.length, span.to + 1)
  const first = Math.max(1, span.from)
  for (let i = Math.ceil(first / every) * every; i <= last; i += every) {
    const forecast = forecasts[i]!
    if (Number.isNaN(forecast)) continue
    const from = { x: x(i - 1), y: y(closes[i - 1]!) }
    segments.push({ from, to: { x: from.x + lengthPx, y: y(forecast) } })
  }
  return segments
}
