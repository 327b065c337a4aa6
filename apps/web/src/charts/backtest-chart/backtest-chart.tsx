import { Box } from '@mui/material'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { formatMoney, formatPrice as formatPriceBy } from '#kit/format/money.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { CHART_FONT_11 } from '../chart-look.ts'
import { useDrawnWith } from '../use-drawn-with.ts'
import { type BacktestChartInput, prepareBacktestChart } from './backtest-chart-data.ts'
import { ChartReadout } from './chart-readout.tsx'
import { ChartTable } from './chart-table.tsx'
import { type BacktestChartHandle, createBacktestChart } from './create-backtest-chart.ts'
import { hoverLookup } from './hovered-candle.ts'

const KEYS = 'Arrow keys pan, plus and minus zoom, 0 shows everything.'

/**
 * Candles, predictions and trades above, the equity curve below. `input` is to be the same object between renders
 * while the run is the same; `summary` says in a sentence what the chart shows.
 */
export function BacktestChart({
  input,
  tickSize,
  quote,
  summary,
  lookAt = null,
}: {
  input: BacktestChartInput
  /** Price step of the market; guessed from the prices where it is not known. */
  tickSize: number | undefined
  quote: string
  summary: string
  /** Candles to move to; a new object moves again. */
  lookAt?: { readonly fromMs: number; readonly toMs: number } | null
}) {
  const data = useMemo(() => prepareBacktestChart(input), [input])
  const lookup = useMemo(() => hoverLookup(data), [data])
  const element = useRef<HTMLDivElement>(null)
  const handle = useRef<BacktestChartHandle | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const summaryId = useId()
  const price = useMemo(() => (value: number) => formatPriceBy(value, tickSize), [tickSize])

  const drawnWith = useDrawnWith()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it draws the colours and clocks of now
  useEffect(() => {
    if (element.current === null) return
    const made = createBacktestChart(element.current, data, { price, money: formatMoney }, setHovered)
    handle.current = made
    return () => {
      handle.current = null
      made.remove()
    }
  }, [data, price, drawnWith])

  useEffect(() => {
    if (lookAt === null) return
    handle.current?.lookAt(lookAt.fromMs, lookAt.toMs)
    element.current?.scrollIntoView({ block: 'nearest' })
  }, [lookAt])

  const candle = hovered === null ? null : lookup(hovered)
  return (
    <Box component="figure" sx={{ position: 'relative', m: 0 }}>
      <Box
        ref={element}
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label={`Backtest chart. ${KEYS}`}
        aria-describedby={summaryId}
        sx={{ height: { xs: 380, md: 480 }, touchAction: 'pan-y', cursor: 'crosshair', userSelect: 'none' }}
      />
      {/* Just below the lines between the panes, which take 60, 27 and 13 % of what the time axis (26 px) leaves. */}
      <Box aria-hidden="true" sx={{ ...paneNameStyle, top: 'calc((100% - 26px) * 0.6 + 6px)' }}>
        Equity, {quote}
      </Box>
      <Box aria-hidden="true" sx={{ ...paneNameStyle, top: 'calc((100% - 26px) * 0.87 + 4px)' }}>
        Drawdown
      </Box>
      {candle !== null && <ChartReadout hovered={candle} formatPrice={price} formatMoney={formatMoney} />}
      <Box component="figcaption" id={summaryId} sx={visuallyHidden}>
        {summary}
      </Box>
      <ChartTable
        data={data}
        caption={`Backtest chart in figures, in ${quote}`}
        formatTime={formatTableTimeYear}
        formatPrice={price}
        formatMoney={formatMoney}
      />
    </Box>
  )
}

/** On the ground of the card, so that no line goes through the word. */
const paneNameStyle = {
  position: 'absolute',
  left: 6,
  px: 0.25,
  zIndex: 3,
  font: CHART_FONT_11,
  color: 'text.secondary',
  backgroundColor: 'background.paper',
  pointerEvents: 'none',
} as const
