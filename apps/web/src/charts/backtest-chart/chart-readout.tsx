import { Box } from '@mui/material'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { CHART_FONT_11 } from '../chart-look.ts'
import type { HoveredCandle } from './hovered-candle.ts'

/** The figures of the candle under the crosshair, over the top left corner of the chart. */
export function ChartReadout({
  hovered,
  formatPrice,
  formatMoney,
}: {
  hovered: HoveredCandle
  formatPrice: (value: number) => string
  formatMoney: (value: number) => string
}) {
  const figures: [string, string][] = [
    ['O', formatPrice(hovered.open)],
    ['H', formatPrice(hovered.high)],
    ['L', formatPrice(hovered.low)],
    ['C', formatPrice(hovered.close)],
  ]
  if (hovered.prediction !== null) figures.push(['LSTM', formatPrice(hovered.prediction)])
  if (hovered.equity !== null) figures.push(['Equity', formatMoney(hovered.equity)])
  return (
    <Box
      aria-hidden="true"
      sx={{
        position: 'absolute',
        top: 4,
        left: 4,
        zIndex: 3,
        maxWidth: 'calc(100% - 84px)',
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 1,
        px: 0.75,
        py: 0.25,
        borderRadius: 0.5,
        bgcolor: 'background.paper',
        font: CHART_FONT_11,
        lineHeight: '16px',
        color: 'text.disabled',
        pointerEvents: 'none',
      }}
    >
      <span>{formatDateTimeYear(hovered.t)}</span>
      {figures.map(([name, text]) => (
        <span key={name}>
          {name}{' '}
          <Box component="span" sx={{ color: 'text.primary' }}>
            {text}
          </Box>
        </span>
      ))}
    </Box>
  )
}
