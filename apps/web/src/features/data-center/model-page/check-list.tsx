import { Box, Typography } from '@mui/material'
import type { LeakCheck } from '@shapecast/contracts/leak-audit'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { colors } from '../../../shared/theme/tokens.ts'
import { type CheckState, checkState, triedWords } from './examination-words.ts'

const MARK = {
  passed: <CircleCheck size={16} color={colors.accentHi} aria-label="Passed" role="img" />,
  failed: <CircleX size={16} color={colors.down} aria-label="Found a leak" role="img" />,
  inconclusive: <CircleHelp size={16} color={colors.warn} aria-label="Could not tell" role="img" />,
} as const satisfies Record<CheckState, unknown>

/** Each thing that was tried: tick or cross, what it was, and what came of it with its numbers. */
export const CheckList = ({ checks }: { checks: readonly LeakCheck[] }) => (
  <Box component="ul" aria-label="Checks" sx={{ m: 0, p: 0, listStyle: 'none' }}>
    {checks.map((check) => {
      const state = checkState(check)
      const tried = triedWords(check)
      return (
        <Box component="li" key={check.name} sx={rowStyle}>
          <Box sx={{ display: 'flex', flexShrink: 0, pt: '2px' }}>{MARK[state]}</Box>
          <Box sx={columns}>
            <Box sx={{ minWidth: 0 }}>
              <Typography component="div" sx={{ fontWeight: 500 }}>
                {check.name}
              </Typography>
              {tried !== null && (
                <Typography component="div" variant="small" sx={{ color: colors.text3 }}>
                  {tried}
                </Typography>
              )}
            </Box>
            <Typography
              component="div"
              variant="small"
              sx={{ minWidth: 0, overflowWrap: 'anywhere', color: state === 'passed' ? colors.text2 : colors.text }}
            >
              {check.detail}
            </Typography>
          </Box>
        </Box>
      )
    })}
  </Box>
)

const rowStyle = {
  display: 'flex',
  gap: 1.25,
  px: 2,
  py: 1.25,
  borderTop: `1px solid ${colors.divider}`,
} as const
const columns = {
  flex: 1,
  minWidth: 0,
  display: 'grid',
  columnGap: 3,
  rowGap: 0.5,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 3fr)' },
} as const
