import { Box } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'

const COLORS = { good: colors.up, bad: colors.down, unknown: colors.warn, busy: colors.accent } as const

/** A state of health: green, red, amber where it is not known, blue while it is made. The word beside the dot says which. */
export function HealthDot({ state, children }: { state: keyof typeof COLORS; children: ReactNode }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, verticalAlign: 'top' }}>
      <Box
        component="span"
        aria-hidden
        sx={{ width: 8, height: 8, borderRadius: '50%', flexShrink: 0, backgroundColor: COLORS[state] }}
      />
      {children}
    </Box>
  )
}
