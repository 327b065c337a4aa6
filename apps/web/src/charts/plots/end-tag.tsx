import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'

/** What a curve has come to, beside its end: above it, below it, or after it. */
export const EndTag = ({
  x,
  y,
  side,
  fill = colors.text2,
  children,
}: {
  x: number
  y: number
  side: 'above' | 'below' | 'after'
  fill?: string
  children: ReactNode
}) => (
  <text
    x={side === 'after' ? x + 6 : x}
    y={y + { above: -6, below: 15, after: 4 }[side]}
    textAnchor={side === 'after' ? 'start' : 'end'}
    fill={fill}
    fontSize={11}
    stroke={colors.surface}
    strokeWidth={3}
    paintOrder="stroke"
  >
    {children}
  </text>
)
