import { formatPrice } from '#kit/format/money.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { Note } from '#kit/ui/text.tsx'
import { type HoverStore, useHover } from './hovered.ts'
import css from './price-chart.module.css'
import type { PriceScene } from './price-scene.ts'

/** From here on the tooltip stands left of its point, so that it stays inside the chart. */
const FLIP_BELOW_PX = 190

/** The predicted price of the model line near the pointer. */
export function LineTooltip({
  scene,
  hover,
  tickSize,
  widthPx,
}: {
  scene: PriceScene
  hover: HoverStore
  tickSize: number | undefined
  /** Of the chart. */
  widthPx: () => number
}) {
  const line = useHover(hover)?.line ?? null
  if (line === null) return null
  const { times, count, stepMs } = scene.model
  const t = line.index < count ? times[line.index]! : times[count - 1]! + (line.index - count + 1) * stepMs
  const isLeft = line.at.x > widthPx() - FLIP_BELOW_PX
  return (
    <Note
      aria-hidden="true"
      tone="text2"
      className={css.tooltip}
      style={{ left: line.at.x, top: line.at.y }}
      data-left={isLeft}
    >
      <span>{line.name} prediction</span> <b>{formatPrice(line.price, tickSize)}</b>
      <div>{formatDateTimeYear(t)}</div>
    </Note>
  )
}
