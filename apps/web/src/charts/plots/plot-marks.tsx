import { chartColors, colors, tint } from '#kit/theme/tokens.ts'

export const REFERENCE = { stroke: chartColors.initialBalance, strokeWidth: 1, strokeDasharray: '4 3' } as const

/** A point with its 95 % interval. `hollow` is the second kind of points in a plot. */
export function WhiskerPoint({
  x,
  y,
  lowY,
  highY,
  hollow = false,
}: {
  x: number
  y: number
  lowY: number | null
  highY: number | null
  hollow?: boolean
}) {
  return (
    <g>
      {lowY !== null && highY !== null && (
        <path
          d={`M${x} ${lowY}V${highY}M${x - 3} ${lowY}h6M${x - 3} ${highY}h6`}
          stroke={tint(colors.accent, 0.55)}
          strokeWidth="1.5"
          fill="none"
        />
      )}
      <circle
        cx={x}
        cy={y}
        r={hollow ? 3 : 3.5}
        fill={hollow ? colors.surface : colors.accent}
        stroke={hollow ? colors.accent : colors.surface}
        strokeWidth="1.5"
      />
    </g>
  )
}

/** Marks of legends, in a box of 18 × 10 px. */
export const MARKS = {
  reference: <path d="M0 5h18" {...REFERENCE} />,
  point: (
    <g>
      <path d="M9 0v10" stroke={tint(colors.accent, 0.55)} strokeWidth="1.5" />
      <circle cx="9" cy="5" r="3.5" fill={colors.accent} />
    </g>
  ),
  hollow: <circle cx="9" cy="5" r="3" fill={colors.surface} stroke={colors.accent} strokeWidth="1.5" />,
  dot: <circle cx="9" cy="5" r="3.5" fill={colors.accent} />,
  outside: <path d="M9 1.5 13 8.5H5z" fill={colors.warn} />,
  band: <path d="M0 0h18v10H0z" fill={tint(colors.accent, 0.16)} />,
  first: <path d="M0 5h18" stroke={colors.accent} strokeWidth="1.75" />,
  second: <path d="M0 5h18" stroke={chartColors.emaFast} strokeWidth="1.75" strokeDasharray="2 2.5" />,
} as const
