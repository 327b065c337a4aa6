import { Box, Typography } from '@mui/material'
import { colors } from '../theme/tokens.ts'
import { Folded } from './folded.tsx'

/** A word of a card, and what it means in plain ones. */
export type Term = readonly [word: string, meaning: string]

/** At the foot of a card: its words explained, for whoever opens it. `flush` in a card whose body reaches the edges. */
export function Meanings({ terms, flush = false }: { terms: readonly Term[]; flush?: boolean }) {
  return (
    <Folded title="What do these words mean?" flush={flush}>
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
    </Folded>
  )
}

const meaningStyle = { m: 0, color: colors.text2, fontVariantNumeric: 'normal' } as const
const listStyle = {
  m: 0,
  display: 'grid',
  columnGap: 4,
  rowGap: 1.5,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))',
} as const
