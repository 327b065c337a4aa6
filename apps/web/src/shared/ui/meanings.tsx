import { Box, Typography } from '@mui/material'
import { colors } from '../theme/tokens.ts'
import { coarsePointer } from '../theme/touch.ts'

/** A word of a card, and what it means in plain ones. */
export type Term = readonly [word: string, meaning: string]

/** At the foot of a card: its words explained, for whoever opens it. `flush` in a card whose body reaches the edges. */
export function Meanings({ terms, flush = false }: { terms: readonly Term[]; flush?: boolean }) {
  return (
    <Box component="details" sx={flush ? flushStyle : { mt: 2 }}>
      <Box component="summary" sx={summaryStyle}>
        What do these words mean?
      </Box>
      <Box component="dl" sx={listStyle}>
        {terms.map(([word, meaning]) => (
          <Box key={word}>
            <Typography component="dt" variant="small" sx={{ fontWeight: 500 }}>
              {word}
            </Typography>
            <Typography component="dd" variant="small" sx={meaningStyle}>
              {meaning}
            </Typography>
          </Box>
        ))}
      </Box>
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
const meaningStyle = { m: 0, color: colors.text2, fontVariantNumeric: 'normal' } as const
const listStyle = {
  m: 0,
  mt: 1.5,
  display: 'grid',
  columnGap: 4,
  rowGap: 1.5,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))',
} as const
