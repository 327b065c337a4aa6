import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Row } from '#kit/ui/layout.tsx'

/** Long or short as a triangle and a word, or other words of the same direction. */
export function SideMark({ side, children }: { side: 'long' | 'short'; children?: ReactNode }) {
  const long = side === 'long'
  return (
    <Row as="span" gap={1} style={{ display: 'inline-flex', verticalAlign: 'top' }}>
      <svg width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
        <path d={long ? 'M4 .5 7.5 6.5h-7Z' : 'M4 6.5.5.5h7Z'} fill={long ? colors.up : colors.down} />
      </svg>
      {children ?? (long ? 'Long' : 'Short')}
    </Row>
  )
}
