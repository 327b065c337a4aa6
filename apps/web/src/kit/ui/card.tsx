import { Box, Card as MuiCard, Typography } from '@mui/material'
import { type ReactNode, useId } from 'react'
import { colors } from '../theme/tokens.ts'
import { coarsePointer } from '../theme/touch.ts'

export interface CardProps {
  title: ReactNode
  /** Quiet words beside the title: a timeframe, a count. */
  facts?: ReactNode
  /** Buttons or chips at the right of the head. */
  actions?: ReactNode
  /** For lists and tables that reach the edges; they begin with a divider. */
  flush?: boolean
  children?: ReactNode
}

/** A region of a page: 48 px head with title, facts and actions, then a body without a border on top. */
export function Card({ title, facts, actions, flush = false, children }: CardProps) {
  const titleId = useId()
  return (
    <MuiCard
      component="section"
      aria-labelledby={titleId}
      sx={{ minWidth: 0, display: 'flex', flexDirection: 'column' }}
    >
      <Box
        sx={{
          minHeight: 48,
          px: 2,
          py: { xs: 1.25, sm: 0.75 },
          display: 'flex',
          alignItems: 'center',
          alignContent: 'center',
          flexWrap: 'wrap',
          columnGap: 1.5,
          rowGap: 0.5,
          [coarsePointer]: { '&:has([aria-haspopup="menu"])': { rowGap: 2 } },
        }}
      >
        <Typography variant="h2" id={titleId}>
          {title}
        </Typography>
        {facts !== undefined && (
          <Typography component="div" variant="small" sx={{ color: colors.text3 }}>
            {facts}
          </Typography>
        )}
        {actions !== undefined && (
          <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>{actions}</Box>
        )}
      </Box>
      {children !== undefined && (
        <Box sx={{ flex: 1, ...(flush ? { borderTop: `1px solid ${colors.divider}` } : { px: 2, pb: 2 }) }}>
          {children}
        </Box>
      )}
    </MuiCard>
  )
}
