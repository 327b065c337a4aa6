import { Box, ToggleButton, ToggleButtonGroup } from '@mui/material'
import { ToggleGroup } from '../../shared/ui/toggle-group.tsx'
import type { PriceChartType } from './price-input.ts'

/** What a chart draws: candles or a line, with the averages or without. */
export const ChartChoices = ({
  type,
  onType,
  isEmaShown,
  onEma,
}: {
  type: PriceChartType
  onType: (type: PriceChartType) => void
  isEmaShown: boolean
  onEma: (isShown: boolean) => void
}) => (
  <Box sx={choices}>
    <ToggleGroup
      label="Chart type"
      size="small"
      value={type}
      onChange={onType}
      choices={[
        { value: 'candles', label: 'Candles' },
        { value: 'line', label: 'Line' },
      ]}
    />
    <ToggleButtonGroup
      size="small"
      aria-label="Averages"
      value={isEmaShown ? ['ema'] : []}
      onChange={(_, chosen: string[]) => onEma(chosen.includes('ema'))}
    >
      <ToggleButton value="ema">EMA</ToggleButton>
    </ToggleButtonGroup>
  </Box>
)

/** On a phone the buttons draw together, so that they stay beside the title. */
const choices = { display: 'flex', gap: 1, '& .MuiToggleButton-root': { px: { xs: 1, sm: 1.25 } } } as const
