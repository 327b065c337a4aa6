import { Box, Typography } from '@mui/material'
import type { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { colors } from '#kit/theme/tokens.ts'
import { cardLines } from './card-words.ts'

/** What a card says, as it is read from the file, before anything is sent. */
export function CardSummary({ card }: { card: ForeignModelCard }) {
  return (
    <Box
      component="dl"
      aria-label="What the card says"
      sx={{
        m: 0,
        px: 2,
        py: 1.25,
        borderRadius: 1,
        backgroundColor: colors.well,
        display: 'grid',
        columnGap: 2,
        rowGap: 0.5,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '112px minmax(0, 1fr)' },
      }}
    >
      {cardLines(card).map(({ label, value, isWarning }) => (
        <Box key={label} sx={{ display: 'contents' }}>
          <Typography component="dt" variant="small" sx={{ color: colors.text3 }}>
            {label}
          </Typography>
          <Typography
            component="dd"
            variant="small"
            sx={{
              m: 0,
              mb: { xs: 0.5, sm: 0 },
              overflowWrap: 'anywhere',
              color: isWarning ? colors.warn : colors.text2,
            }}
          >
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
