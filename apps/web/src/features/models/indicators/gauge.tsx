import { Box, Typography } from '@mui/material'
import { colors, tint } from '#kit/theme/tokens.ts'

export interface GaugeProps {
  label: string
  value: number
  /** The value as it is written. */
  text: string
  from: number
  to: number
  /** What is usual: the shaded part of the track. */
  usual: readonly [low: number, high: number]
  lowWord: string
  highWord: string
}

/** A figure on its track: where it stands between low and high, and which part is usual. */
export function Gauge({ label, value, text, from, to, usual, lowWord, highWord }: GaugeProps) {
  const pctAt = (at: number) => (100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from)
  return (
    <Box
      role="meter"
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={Math.min(to, Math.max(from, value))}
      aria-valuetext={text}
      sx={{ minWidth: 0 }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
        <Typography component="span" variant="small" sx={{ color: colors.text2 }}>
          {label}
        </Typography>
        <Typography component="span" sx={{ fontWeight: 600 }}>
          {text}
        </Typography>
      </Box>
      <Box aria-hidden sx={trackStyle}>
        <Box
          sx={{
            position: 'absolute',
            insetBlock: 0,
            left: `${pctAt(usual[0])}%`,
            right: `${100 - pctAt(usual[1])}%`,
            backgroundColor: tint(colors.accent, 0.26),
          }}
        />
        <Box sx={{ ...markStyle, left: `clamp(1px, ${pctAt(value)}%, calc(100% - 2px))` }} />
      </Box>
      <Box component="div" sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
        {[lowWord, highWord].map((word) => (
          <Typography key={word} component="span" variant="label" sx={{ color: colors.text3, fontWeight: 400 }}>
            {word}
          </Typography>
        ))}
      </Box>
    </Box>
  )
}

const trackStyle = {
  position: 'relative',
  height: 6,
  my: 0.75,
  borderRadius: '3px',
  backgroundColor: colors.divider,
} as const
const markStyle = {
  position: 'absolute',
  top: -3,
  bottom: -3,
  width: 3,
  ml: '-1.5px',
  borderRadius: '1.5px',
  backgroundColor: colors.text,
} as const
