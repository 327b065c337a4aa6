import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'

const COLORS = { good: colors.up, bad: colors.down, unknown: colors.warn, busy: colors.accent } as const

/** A state of health: green, red, amber where it is not known, blue while it is made. The word beside the dot says which. */
export function HealthDot({ state, children }: { state: keyof typeof COLORS; children: ReactNode }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6, verticalAlign: 'top' }}>
      <span
        aria-hidden
        style={{ width: 8, height: 8, borderRadius: '50%', flexShrink: 0, backgroundColor: COLORS[state] }}
      />
      {children}
    </span>
  )
}
