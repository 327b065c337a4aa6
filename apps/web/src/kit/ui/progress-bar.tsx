import { Box, LinearProgress, Typography } from '@mui/material'
import { useId } from 'react'
import { colors } from '../theme/tokens.ts'

/** A 4 px bar with words ('Running, 446 of 720 candles') and percent. */
export function ProgressBar({ words, pct }: { words: string; pct: number }) {
  const wordsId = useId()
  return (
    <Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, mb: 0.75 }}>
        <Typography component="span" variant="label" id={wordsId} aria-live="polite" sx={{ color: colors.text2 }}>
          {words}
        </Typography>
        <Typography component="span" variant="label" sx={{ color: pct > 0 ? colors.text : colors.text2 }}>
          {Math.round(pct)}%
        </Typography>
      </Box>
      <LinearProgress variant="determinate" value={Math.min(100, Math.max(0, pct))} aria-labelledby={wordsId} />
    </Box>
  )
}
