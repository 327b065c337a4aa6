import { Box, Typography } from '@mui/material'
import { TriangleAlert } from 'lucide-react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { MOST_CANDLES } from './dataset-window.ts'
import type { DataChoice } from './use-data-choice.ts'

export interface CandleCountsProps {
  counts: DataChoice['counts']
  /** Candles that a training needs at least, where the range has fewer; else null. */
  fewest: number | null
}

/** How many candles the range has, how many rows its export has, and whether they are enough to train on. */
export function CandleCounts({ counts, fewest }: CandleCountsProps) {
  const isTooShort = fewest !== null
  return (
    <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
      <Typography variant="small" component="p" sx={{ m: 0, color: colors.text2 }}>
        Candles by range{' '}
        <Box component="span" sx={{ color: colors.text, fontWeight: 600 }}>
          {formatCount(counts.candles)}
        </Box>
        {counts.candles > 0 && (
          <Box component="span" sx={{ color: colors.text3 }}>
            {' '}
            · export has {formatCounted(counts.rows, 'row')}
            {counts.candles === MOST_CANDLES && ', the newest of the range'}
          </Box>
        )}
      </Typography>
      <Typography
        variant="small"
        component="p"
        sx={{
          m: 0,
          mt: 0.5,
          display: 'flex',
          alignItems: 'flex-start',
          gap: 0.75,
          color: isTooShort ? colors.warn : colors.text2,
        }}
      >
        <Box component={TriangleAlert} size={14} aria-hidden sx={{ mt: '2px', flexShrink: 0 }} />
        <span>Training uses a candle count: last 400 + warmup ≈99 excluded</span>
      </Typography>
      {isTooShort && (
        <Typography variant="small" component="p" sx={{ m: 0, mt: 0.5, color: colors.text2 }}>
          Too few to train on ({formatCount(fewest)} at least): Train latest takes the newest{' '}
          {formatCount(MOST_CANDLES)} candles.
        </Typography>
      )}
    </Box>
  )
}
