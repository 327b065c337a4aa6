import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { UNKNOWN } from '../format/number.ts'
import { colors } from '../theme/tokens.ts'
import { Explained } from './explained.tsx'

export interface FigureProps {
  label: string
  value: ReactNode
  /** Written once, small, after the value. */
  unit?: string
  size?: 'L' | 'M' | 'S'
  tone?: 'plain' | 'quiet' | 'up' | 'down'
}

const TONE = { plain: colors.text, quiet: colors.text2, up: colors.up, down: colors.down } as const

/** A label over a large number: Final 1,095.27 USDT. */
export function Figure({ label, value, unit, size = 'M', tone = 'plain' }: FigureProps) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="div" variant="label" sx={{ color: colors.text2 }}>
        <Explained label={label} />
      </Typography>
      <Typography
        component="div"
        variant={`number${size}`}
        sx={{ color: value === UNKNOWN ? colors.text3 : TONE[tone] }}
      >
        {value}
        {unit !== undefined && (
          <>
            {' '}
            <Typography component="span" variant="label" sx={{ color: colors.text3, letterSpacing: 0 }}>
              {unit}
            </Typography>
          </>
        )}
      </Typography>
    </Box>
  )
}
