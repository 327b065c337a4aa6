import { ImageDown, Maximize2, Minimize2, SlidersHorizontal } from 'lucide-react'
import { memo, useState } from 'react'
import { chooseTimeZone, TIME_ZONES, useTimeZone } from '#kit/format/time.ts'
import { IconButton } from '#kit/ui/button.tsx'
import { Menu, MenuChoice, MenuDivider, MenuHead, MenuItem } from '#kit/ui/menu.tsx'
import { Row } from '#kit/ui/primitives.tsx'
import { Toggle, ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { INDICATOR_WORDS, INDICATORS, type Indicator } from '../indicator-lines.ts'
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
        choices={{ candles: 'Candles', line: 'Line' }}
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

/** Indicators of a chart, and the time that all charts and tables are in. */
export function ChartMenu({
  indicators,
  onIndicator,
  onPicture,
}: {
  indicators: readonly Indicator[]
  onIndicator: (indicator: Indicator, isShown: boolean) => void
  onPicture: () => void
}) {
  const timeZone = useTimeZone()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        size="small"
        title="Indicators and time"
        aria-label="Indicators and time"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        style={{ width: 30, height: 30 }}
      >
        <SlidersHorizontal size={16} />
      </IconButton>
      <Menu anchor={anchor} onClose={() => setAnchor(null)} aria-label="Indicators and time">
        <MenuHead>Indicators</MenuHead>
        {INDICATORS.map((indicator) => {
          const isShown = indicators.includes(indicator)
          return (
            <MenuChoice key={indicator} isChosen={isShown} onClick={() => onIndicator(indicator, !isShown)}>
              {INDICATOR_WORDS[indicator]}
            </MenuChoice>
          )
        })}
        <MenuDivider />
        <MenuHead>Times</MenuHead>
        {TIME_ZONES.map((zone) => (
          <MenuChoice key={zone} role="menuitemradio" isChosen={zone === timeZone} onClick={() => chooseTimeZone(zone)}>
            {zone === 'utc' ? 'UTC' : 'Local time'}
          </MenuChoice>
        ))}
        <MenuDivider />
        <MenuItem onClick={onPicture} style={{ gap: 8 }}>
          <ImageDown size={14} aria-hidden />
          Save as image
        </MenuItem>
      </Menu>
    </>
  )
}
