import { candlesPerColumn, groupStart } from '../candle-groups.ts'
import type { PriceCanvas } from '../price-scene.ts'

export interface LineLook {
  readonly color: string
  readonly widthPx: number
  /** Lengths of dash and gap, px; empty for a solid line. */
  readonly dash: readonly number[]
}

/**
 * A value a candle as a line, with a hole where it is not known. Where candles are narrower than a pixel, the last known
 * value of each group stands for it.
 */
export function drawValueLine(canvas: PriceCanvas, values: Float64Array, look: LineLook): void {
  const { context, x, y, spacingPx, from, to } = canvas
  const perColumn = candlesPerColumn(spacingPx)
  const last = Math.min(values.length - 1, to + perColumn)
  context.strokeStyle = look.color
  context.lineWidth = look.widthPx
  context.lineJoin = 'round'
  context.setLineDash(look.dash as number[])
  context.beginPath()
  let isOpen = false
  for (let start = groupStart(Math.max(0, from - perColumn), perColumn); start <= last; start += perColumn) {
    let i = Math.min(last, start + perColumn - 1)
    while (i > start && Number.isNaN(values[i]!)) i--
    const value = values[i]!
    if (Number.isNaN(value)) {
      isOpen = false
      continue
    }
    if (isOpen) context.lineTo(x(i), y(value))
    else context.moveTo(x(i), y(value))
    isOpen = true
  }
  context.stroke()
  context.setLineDash([])
}
