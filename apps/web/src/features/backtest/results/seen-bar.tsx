import { Box, Typography } from '@mui/material'
import { colors } from '#kit/theme/tokens.ts'

/** How much of the range was seen in training and where it lies, as a bar with its words. */
export function SeenBar({ seenPct, span }: { seenPct: number; span: { fromPct: number; toPct: number } }) {
  return (
    <div>
      <Box aria-hidden="true" sx={{ display: 'flex', gap: '2px', height: 8, borderRadius: '4px', overflow: 'hidden' }}>
        {span.fromPct > 0 && <Box sx={{ width: `${span.fromPct}%`, backgroundColor: colors.field }} />}
        <Box sx={{ width: `${span.toPct - span.fromPct}%`, minWidth: 2, backgroundColor: colors.warn }} />
        {span.toPct < 100 && <Box sx={{ flex: 1, backgroundColor: colors.field }} />}
      </Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', mt: 0.75 }}>
        <Typography variant="label" sx={{ color: colors.warn }}>
          in-sample {seenPct}%
        </Typography>
        <Typography variant="label" sx={{ color: colors.text2 }}>
          unseen {100 - seenPct}%
        </Typography>
      </Box>
    </div>
  )
}
