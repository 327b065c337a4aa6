import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { Figure } from './figure.tsx'

/** Figures that lead a card, side by side as far as there is room. */
export const EvidenceRow = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 128px), 1fr))' }}>
    {children}
  </Box>
)

/** A figure and the line that makes it mean something. */
export const Evidence = ({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) => (
  <Box sx={{ minWidth: 0 }}>
    <Figure label={label} value={value} />
    <Typography component="div" variant="label" sx={{ mt: 0.25, color: colors.text3, fontWeight: 400 }}>
      {children}
    </Typography>
  </Box>
)
