import { Box, Typography } from '@mui/material'
import { formatSigned } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'

/** A figure within its interval on a track with 0 in the middle. Only a picture of what stands beside it in words. */
export function IntervalBar({ value, interval: [low, high] }: { value: number; interval: readonly [number, number] }) {
  const reach = Math.max(1, Math.ceil(Math.max(...[value, low, high].map(Math.abs))))
  const pctAt = (at: number) => `${50 + (50 * at) / reach}%`
  return (
    <Box aria-hidden sx={{ mt: 1.25 }}>
      <Box sx={{ position: 'relative', height: 10 }}>
        <Box sx={{ ...lineStyle, inset: '4px 0', backgroundColor: colors.divider }} />
        <Box
          sx={{
            ...lineStyle,
            inset: `4px calc(100% - ${pctAt(high)}) 4px ${pctAt(low)}`,
            backgroundColor: colors.text3,
          }}
        />
        <Box sx={{ ...lineStyle, inset: '0 auto 0 50%', width: '1px', backgroundColor: colors.text2 }} />
        <Box sx={{ ...lineStyle, ...dotStyle, left: pctAt(value) }} />
      </Box>
      <Box sx={{ mt: 0.5, display: 'flex', justifyContent: 'space-between' }}>
        {[-reach, 0, reach].map((at) => (
          <Typography key={at} component="span" variant="label" sx={{ color: colors.text3, fontWeight: 400 }}>
            {formatSigned(at, 0)}
          </Typography>
        ))}
      </Box>
    </Box>
  )
}

const lineStyle = { position: 'absolute', borderRadius: '1px' } as const
const dotStyle = {
  top: 1,
  width: 8,
  height: 8,
  ml: '-4px',
  borderRadius: '50%',
  backgroundColor: colors.text,
} as const
