import { Box } from '@mui/material'
import { formatPrice } from '#kit/format/money.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { colors, radius } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { type HoverStore, useHover } from './hovered.ts'
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
    <Box aria-hidden="true" sx={tooltipStyle} style={{ left: line.at.x, top: line.at.y }} data-left={isLeft}>
      <span>{line.name} prediction</span> <b>{formatPrice(line.price, tickSize)}</b>
      <div>{formatDateTimeYear(t)}</div>
    </Box>
  )
}

const tooltipStyle = {
  position: 'absolute',
  zIndex: 4,
  transform: 'translate(12px, calc(-100% - 8px))',
  '&[data-left="true"]': { transform: 'translate(calc(-100% - 12px), calc(-100% - 8px))' },
  px: 1,
  py: 0.75,
  ...typeScale.label,
  fontWeight: 400,
  whiteSpace: 'nowrap',
  color: colors.text2,
  backgroundColor: colors.raised,
  border: `1px solid ${colors.buttonEdge}`,
  borderRadius: `${radius.chip}px`,
  pointerEvents: 'none',
  '& b': { fontWeight: 500, color: colors.text },
} as const
