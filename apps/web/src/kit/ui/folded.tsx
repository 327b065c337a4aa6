import { Box } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { coarsePointer } from '../theme/touch.ts'

/** What is read when asked for, folded under its name. `flush` in a card whose body reaches the edges. */
export function Folded({ title, flush = false, children }: { title: string; flush?: boolean; children: ReactNode }) {
  return (
    <Box component="details" sx={flush ? flushStyle : { mt: 2 }}>
      <Box component="summary" sx={summaryStyle}>
        {title}
      </Box>
      <Box sx={{ mt: 1.5, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>{children}</Box>
    </Box>
  )
}

const flushStyle = { px: 2, py: 1.5, borderTop: `1px solid ${colors.divider}` } as const
export const summaryStyle = {
  width: 'fit-content',
  cursor: 'pointer',
  fontSize: '0.8125rem',
  lineHeight: '20px',
  color: colors.text2,
  '&:hover': { color: colors.text },
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&::before': {
    content: '""',
    display: 'inline-block',
    width: 6,
    height: 6,
    ml: '1px',
    mr: '9px',
    mb: '2px',
    borderRight: '1.6px solid',
    borderBottom: '1.6px solid',
    transform: 'rotate(-45deg)',
  },
  'details[open] > &::before': { transform: 'translateY(-2px) rotate(45deg)' },
  [coarsePointer]: { py: 1.5, my: -0.5 },
} as const
