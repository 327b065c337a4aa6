import { Box, Typography } from '@mui/material'
import { LegendPattern, type Pattern } from '../legend-pattern.tsx'

export interface LegendItem {
  readonly pattern: Pattern
  readonly word: string
}

export const BACKTEST_LEGEND: readonly LegendItem[] = [
  { pattern: 'long_entry', word: 'Long Entry' },
  { pattern: 'short_entry', word: 'Short Entry' },
  { pattern: 'profit_exit', word: 'Profitable Exit' },
  { pattern: 'loss_exit', word: 'Loss Exit' },
  { pattern: 'equity', word: 'Equity Curve' },
  { pattern: 'lstm', word: 'LSTM Prediction' },
]

/** Which mark on the chart is what: the mark itself and its word. */
export function ChartLegend({ items }: { items: readonly LegendItem[] }) {
  return (
    <Box
      component="ul"
      aria-label="Legend"
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, m: 0, p: 0, listStyle: 'none' }}
    >
      {items.map(({ pattern, word }) => (
        <Box component="li" key={word} sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
          <LegendPattern pattern={pattern} />
          <Typography component="span" variant="label" sx={{ color: 'text.secondary', fontWeight: 400 }}>
            {word}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}
