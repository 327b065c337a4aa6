import { forecastSegments } from '../../forecast-segments.ts'
import type { PriceCanvas } from '../price-scene.ts'
import type { LineLook } from './draw-value-line.ts'

/** What a network expected of each candle, above the candles: one short segment a forecast. */
export function drawForecasts(canvas: PriceCanvas, forecasts: Float64Array, look: LineLook): void {
  const { context, scene } = canvas
  context.strokeStyle = look.color
  context.lineWidth = look.widthPx
  context.setLineDash(look.dash as number[])
  context.beginPath()
  for (const { from, to } of forecastSegments(forecasts, scene.model.close, canvas)) {
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
  }
  context.stroke()
  context.setLineDash([])
}
