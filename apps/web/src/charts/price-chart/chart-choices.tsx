import { Maximize2, Minimize2 } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '#kit/ui/button.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Toggle, ToggleGroup } from '#kit/ui/toggle-group.tsx'
import type { Indicator } from '../indicator-lines.ts'
import { ChartMenu } from './chart-menu.tsx'
import css from './price-chart.module.css'
import type { PriceChartType } from './price-input.ts'

/** What a chart draws: candles or a line, which indicators, in what time, and how large. A new candle changes none of it. */
export const ChartChoices = memo(function ChartChoices({
  type,
  onType,
  indicators,
  onIndicator,
  isFull,
  onFull,
  onPicture,
}: {
  type: PriceChartType
  onType: (type: PriceChartType) => void
  indicators: readonly Indicator[]
  onIndicator: (indicator: Indicator, isShown: boolean) => void
  isFull: boolean
  onFull: (isFull: boolean) => void
  onPicture: () => void
}) {
  return (
    <Row gap={1} className={css.choices}>
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
      <Toggle
        size="small"
        label="Averages"
        isOn={indicators.includes('ema')}
        onChange={(isShown) => onIndicator('ema', isShown)}
      >
        EMA
      </Toggle>
      <div style={{ display: 'flex' }}>
        <ChartMenu indicators={indicators} onIndicator={onIndicator} onPicture={onPicture} />
        <IconButton
          size="small"
          title={isFull ? 'Leave full screen' : 'Full screen'}
          aria-label={isFull ? 'Leave full screen' : 'Full screen'}
          onClick={() => onFull(!isFull)}
          style={{ width: 30, height: 30 }}
        >
          {isFull ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
        </IconButton>
      </div>
    </Row>
  )
})
