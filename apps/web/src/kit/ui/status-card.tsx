import { Box, Card as MuiCard, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'

/** One figure at the top of a page: label, number, one line of evidence. 100 px high. */
export function StatusCard({
  label,
  value,
  evidence,
  aside,
  isRow = false,
}: {
  label: string
  value: ReactNode
  evidence?: ReactNode
  /** Stands at the right where there is room. */
  aside?: ReactNode
  /** On a phone the number stands at the right of the words. */
  isRow?: boolean
}) {
  return (
    <MuiCard
      sx={{
        position: 'relative',
        p: { xs: 1.5, sm: 2 },
        minHeight: 100,
        display: 'flex',
        flexDirection: 'column',
        rowGap: { xs: 1, sm: 0.5 },
        ...(isRow && rowStyle),
      }}
    >
      <Typography variant="label" sx={{ color: colors.text2 }}>
        {label}
      </Typography>
      <Typography variant="numberM" component="div" sx={{ minHeight: 28 }}>
        {value}
      </Typography>
      <Typography variant="label" component="div" sx={{ minHeight: 16, color: colors.text2, fontWeight: 400 }}>
        {evidence}
      </Typography>
      {aside && (
        <Box sx={{ position: 'absolute', right: 16, top: 34, display: { xs: 'none', sm: 'block' } }}>{aside}</Box>
      )}
    </MuiCard>
  )
}

const rowStyle = {
  rowGap: { xs: 0, sm: 0.5 },
  minHeight: { xs: 0, sm: 100 },
  display: { xs: 'grid', sm: 'flex' },
  gridTemplateColumns: '1fr auto',
  alignItems: { xs: 'center', sm: 'stretch' },
  '& > div:first-of-type': { gridArea: '1 / 2 / 3 / 3' },
} as const
