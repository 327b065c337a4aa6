import { colors } from '#kit/theme/tokens.ts'
import { linearScale } from './scales.ts'

const EDGE_PX = 3

/** The course of a few values beside the figure that it leads to. It says nothing more, so no reader is told of it. */
export function Sparkline({
  values,
  widthPx,
  heightPx,
}: {
  values: readonly number[]
  widthPx: number
  heightPx: number
}) {
  const x = linearScale(0, values.length - 1, EDGE_PX, widthPx - EDGE_PX)
  const y = linearScale(Math.min(...values), Math.max(...values), heightPx - EDGE_PX, EDGE_PX)
  const last = values.length - 1
  return (
    <svg width={widthPx} height={heightPx} viewBox={`0 0 ${widthPx} ${heightPx}`} aria-hidden="true">
      <polyline
        points={values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
        fill="none"
        stroke={colors.text2}
        strokeWidth="1.25"
        strokeLinejoin="round"
      />
      <circle cx={x(last)} cy={y(values[last]!)} r="2" fill={colors.text} />
    </svg>
  )
}
