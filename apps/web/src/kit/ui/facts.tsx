import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { Explained } from './explained.tsx'

export interface Fact {
  label: string
  value: ReactNode
}

/** Label left, value right, row by row. `well` puts them on the darker ground of a summary inside a card. */
export function Facts({ facts, well = false }: { facts: readonly Fact[]; well?: boolean }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        rowGap: 1,
        ...(well && { p: 1.5, backgroundColor: colors.well, borderRadius: 1 }),
      }}
    >
      {facts.map((fact) => (
        <Box key={fact.label} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, minWidth: 0 }}>
          <Typography component="dt" variant="small" sx={{ color: colors.text2, flexShrink: 0 }}>
            <Explained label={fact.label} />
          </Typography>
          <Typography
            component="dd"
            variant="small"
            sx={{ m: 0, fontWeight: 500, textAlign: 'right', minWidth: 0, overflowWrap: 'anywhere' }}
          >
            {fact.value}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
