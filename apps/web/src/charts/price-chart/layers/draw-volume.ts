import { chartColors, tint } from '../../../shared/theme/tokens.ts'
import { bodyWidthPx, candlesPerColumn, groupStart } from '../candle-groups.ts'
import type { PriceCanvas } from '../price-scene.ts'

/** Share of the height that the volume may take. */
export const VOLUME_RATIO = 0.22

const SIDES = [
  { up: true, fill: tint(chartColors.candleUp, 0.28) },
  { up: false, fill: tint(chartColors.candleDown, 0.28) },
] as const

/** Volume at the foot of the pane: the largest one in view takes the whole 22 %. Groups show their largest. */
export function drawVolume(canvas: PriceCanvas): void {
  const { context, scene, heightPx, x, snapX, snapY, hairPx, spacingPx, from, to } = canvas
  const { open, close, volume, count } = scene.model
  let max = 0
  for (let i = from; i <= to; i++) if (volume[i]! > max) max = volume[i]!
  if (max === 0) return
  const perColumn = candlesPerColumn(spacingPx)
  const widthPx = perColumn > 1 ? spacingPx : spacingPx < 3 ? bodyWidthPx(spacingPx) : spacingPx - 1
  const pxOfVolume = (heightPx * VOLUME_RATIO) / max
  for (const side of SIDES) {
    context.fillStyle = side.fill
    for (let start = groupStart(from, perColumn); start <= to; start += perColumn) {
      const end = Math.min(count, start + perColumn)
      if (close[end - 1]! >= open[start]! !== side.up) continue
      let most = 0
      for (let i = start; i < end; i++) if (volume[i]! > most) most = volume[i]!
      const left = snapX(x(start) - widthPx / 2)
      const right = perColumn > 1 ? x(start + perColumn) - widthPx / 2 : x(start) + widthPx / 2
      const top = snapY(heightPx - most * pxOfVolume)
      context.fillRect(left, top, Math.max(hairPx, snapX(right) - left), heightPx - top)
    }
  }
}
