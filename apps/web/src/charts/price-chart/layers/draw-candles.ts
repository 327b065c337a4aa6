import { chartColors, tint } from '../../../shared/theme/tokens.ts'
import { bodyWidthPx, candlesPerColumn, groupStart } from '../candle-groups.ts'
import type { PriceCanvas } from '../price-scene.ts'

const SIDES = [
  { up: true, body: chartColors.candleUp, wick: tint(chartColors.candleUp, 0.8) },
  { up: false, body: chartColors.candleDown, wick: tint(chartColors.candleDown, 0.8) },
] as const

/** Candles of their own: a wick, and a body over it. */
function drawSingle(canvas: PriceCanvas): void {
  const { context, scene, x, y, snapX, snapY, hairPx, spacingPx, from, to } = canvas
  const { open, high, low, close } = scene.model
  const bodyPx = bodyWidthPx(spacingPx)
  const wickPx = Math.max(hairPx, snapX(1))
  const wide = snapX(bodyPx) > wickPx
  for (const side of SIDES) {
    context.fillStyle = side.wick
    for (let i = from; i <= to; i++) {
      if (close[i]! >= open[i]! !== side.up) continue
      const top = snapY(y(high[i]!))
      context.fillRect(snapX(x(i) - wickPx / 2), top, wickPx, Math.max(hairPx, snapY(y(low[i]!)) - top))
    }
    if (!wide && spacingPx >= 2) continue
    context.fillStyle = side.body
    for (let i = from; i <= to; i++) {
      if (close[i]! >= open[i]! !== side.up) continue
      const left = snapX(x(i) - bodyPx / 2)
      const width = Math.max(wickPx, snapX(x(i) + bodyPx / 2) - left)
      const top = snapY(y(Math.max(open[i]!, close[i]!)))
      context.fillRect(left, top, width, Math.max(hairPx, snapY(y(Math.min(open[i]!, close[i]!))) - top))
    }
  }
}

/** Narrower than a pixel: the range of each group, in the colour of its first open against its last close. */
function drawGrouped(canvas: PriceCanvas, perColumn: number): void {
  const { context, scene, x, y, snapX, snapY, hairPx, spacingPx, from, to } = canvas
  const { open, high, low, close, count } = scene.model
  for (const side of SIDES) {
    context.fillStyle = side.body
    for (let start = groupStart(from, perColumn); start <= to; start += perColumn) {
      const end = Math.min(count, start + perColumn)
      if (close[end - 1]! >= open[start]! !== side.up) continue
      let max = high[start]!
      let min = low[start]!
      for (let i = start + 1; i < end; i++) {
        if (high[i]! > max) max = high[i]!
        if (low[i]! < min) min = low[i]!
      }
      const left = snapX(x(start) - spacingPx / 2)
      const width = Math.max(hairPx, snapX(x(start + perColumn) - spacingPx / 2) - left)
      const top = snapY(y(max))
      context.fillRect(left, top, width, Math.max(hairPx, snapY(y(min)) - top))
    }
  }
}

export function drawCandles(canvas: PriceCanvas): void {
  const perColumn = candlesPerColumn(canvas.spacingPx)
  if (perColumn === 1) drawSingle(canvas)
  else drawGrouped(canvas, perColumn)
}
