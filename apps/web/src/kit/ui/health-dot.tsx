import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import css from './health-dot.module.css'

const COLORS = { good: colors.up, bad: colors.down, unknown: colors.warn, busy: colors.accent } as const

/** A state of health: green, red, amber where it is not known, blue while it is made. The word beside the dot says which. */
export function HealthDot({ state, children }: { state: keyof typeof COLORS; children: ReactNode }) {
  return (
    <span className={css.state}>
      <span aria-hidden className={css.dot} style={{ backgroundColor: COLORS[state] }} />
      {children}
    </span>
  )
}
