import { colors } from '../theme/tokens.ts'

/** A row of a list that reaches the edges of its card: the rows begin with a divider but for the first. */
export const listRow = {
  px: 2,
  py: 1.25,
  borderTop: `1px solid ${colors.divider}`,
  '&:first-of-type': { borderTop: 0 },
} as const

/** One column on narrow screens, a plot and what stands beside it from md on. */
export const plotAndWords = {
  display: 'grid',
  gap: 3,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
} as const

export const pageColumn = {
  display: 'grid',
  gap: { xs: 1.5, md: 2 },
  gridTemplateColumns: 'minmax(0, 1fr)',
} as const

/** Cards of one height, side by side where there is room. */
export const twoCards = {
  display: 'grid',
  gap: { xs: 1.5, md: 2 },
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
} as const
