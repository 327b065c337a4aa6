import { candlesPerColumn, groupStart } from '../candle-groups.ts'
import type { PriceCanvas } from '../price-scene.ts'

export interface LineLook {
  readonly color: string
  readonly widthPx: number
  /** Lengths of dash and gap, px; empty for a solid line. */
  readonly dash: readonly number[]
}

/** Narrower than this, a dash holds several values; the canvas takes seconds to cut a line of that many corners. */
const OWN_DASHES_BELOW_PX = 3

/** Where candles are narrower than this, lines are 1 px wide: wider ones take several times as long to draw. */
const THIN_BELOW_PX = 6
const THIN_PX = 1

/** A line is handed to the canvas in pieces: the cost of one path grows faster than its corners. */
const CORNERS_PER_PIECE = 48

/** Which of the segments between groups are drawn; `every` 1 draws all. */
interface Dashes {
  readonly on: number
  readonly every: number
}

function dashesOf([dashPx = 0, gapPx = 0]: readonly number[], groupPx: number): Dashes {
  if (dashPx === 0) return { on: 1, every: 1 }
  const on = Math.max(1, Math.round(dashPx / groupPx))
  return { on, every: on + Math.max(1, Math.round(gapPx / groupPx)) }
}

/**
 * A value a candle as a line, with a hole where it is not known. Where candles are narrower than a pixel, the last known
 * value of each group stands for it. Dense dashes are counted in groups from the first candle, so that they stand still
 * while panning.
 */
export function drawValueLine(canvas: PriceCanvas, values: Float64Array, look: LineLook): void {
  const { context, x, y, spacingPx, from, to } = canvas
  const perColumn = candlesPerColumn(spacingPx)
  const groupPx = perColumn * spacingPx
  const isDense = groupPx < OWN_DASHES_BELOW_PX
  const { on, every } = isDense ? dashesOf(look.dash, groupPx) : { on: 1, every: 1 }
  const last = Math.min(values.length - 1, to + perColumn)
  context.strokeStyle = look.color
  context.lineWidth = spacingPx < THIN_BELOW_PX ? Math.min(THIN_PX, look.widthPx) : look.widthPx
  context.lineJoin = isDense ? 'bevel' : 'round'
  context.setLineDash(isDense ? [] : (look.dash as number[]))
  context.beginPath()
  let isOpen = false
  let corners = 0
  for (let start = groupStart(Math.max(0, from - perColumn), perColumn); start <= last; start += perColumn) {
    let i = Math.min(last, start + perColumn - 1)
    while (i > start && Number.isNaN(values[i]!)) i--
    const value = values[i]!
    if (Number.isNaN(value)) {
      isOpen = false
      continue
    }
    if (isOpen && (start / perColumn) % every < on) context.lineTo(x(i), y(value))
    else context.moveTo(x(i), y(value))
    isOpen = true
    if (isDense && ++corners % CORNERS_PER_PIECE === 0) {
      context.stroke()
      context.beginPath()
      context.moveTo(x(i), y(value))
    }
  }
  context.stroke()
  context.setLineDash([])
}
