import { Box, Radio, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { choiceCard } from './choice-card.ts'

/** One of a few ways to go on, with what it means; stands in a `RadioGroup`. */
export const Choice = ({
  value,
  isChosen,
  title,
  children,
}: {
  value: string
  isChosen: boolean
  title: string
  children: ReactNode
}) => (
  <Box component="label" sx={{ ...choiceCard(isChosen), display: 'flex', gap: 1.25 }}>
    <Radio value={value} size="small" sx={{ p: 0, alignSelf: 'start' }} />
    <Box component="span">
      <Typography component="span" sx={{ display: 'block', fontWeight: 500 }}>
        {title}
      </Typography>
      <Typography component="span" variant="small" sx={{ color: colors.text2 }}>
        {children}
      </Typography>
    </Box>
  </Box>
)
