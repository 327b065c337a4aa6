import { Box, Typography } from '@mui/material'
import { ALL_MODEL_TERMS } from '#entities/terms/model-terms.ts'
import { TRADING_TERMS } from '#entities/terms/trading-terms.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import type { Term } from '#kit/ui/meanings.tsx'
import { formColumn } from '#kit/ui/page-layout.ts'

/** Each word once, by the alphabet. */
const sorted = (terms: readonly Term[]): Term[] =>
  [...new Map(terms)].sort(([one], [other]) => one.localeCompare(other, 'en'))

const GROUPS = [
  { title: 'Bots, backtests and money', terms: sorted(TRADING_TERMS) },
  {
    title: 'Models and how they are judged',
    terms: sorted(ALL_MODEL_TERMS),
  },
] as const

/** The product's words in plain ones. Most stand explained where they are used, too. */
export const GlossaryPage = () => (
  <Box sx={formColumn}>
    {GROUPS.map(({ title, terms }) => (
      <Card key={title} title={title}>
        <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.5 }}>
          {terms.map(([word, meaning]) => (
            <Box key={word} sx={rowStyle}>
              <Typography component="dt" sx={{ fontWeight: 500 }}>
                {word}
              </Typography>
              <Typography
                component="dd"
                variant="small"
                sx={{ m: 0, color: colors.text2, fontVariantNumeric: 'normal' }}
              >
                {meaning}
              </Typography>
            </Box>
          ))}
        </Box>
      </Card>
    ))}
  </Box>
)

const rowStyle = {
  display: 'grid',
  columnGap: 2,
  rowGap: 0.25,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '180px minmax(0, 1fr)' },
} as const
