import { Box } from '@mui/material'
import { colors } from '#kit/theme/tokens.ts'

/** Long or short as a triangle and a word. */
export function SideMark({ side }: { side: 'long' | 'short' }) {
  const long = side === 'long'
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, verticalAlign: 'top' }}>
      <svg width="8" height="7" viewBox="0 0 8 7" aria-hidden="true">
        <path d={long ? 'M4 .5 7.5 6.5h-7Z' : 'M4 6.5.5.5h7Z'} fill={long ? colors.up : colors.down} />
      </svg>
      {long ? 'Long' : 'Short'}
    </Box>
  )
}
