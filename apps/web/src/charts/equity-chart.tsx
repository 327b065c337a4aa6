import { Box } from '@mui/material'
import { useEffect, useRef } from 'react'
import { createEquityChart, type EquityChartData } from './create-equity-chart.ts'
import { useDrawnWith } from './use-drawn-with.ts'

/** Equity beside buy and hold, and the fall from the peak. `label` says it to a screen reader. */
export function EquityChart({
  data,
  label,
  heightPx = 300,
}: {
  data: EquityChartData
  label: string
  heightPx?: number
}) {
  const element = useRef<HTMLDivElement>(null)
  const drawnWith = useDrawnWith()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it draws the colours and clocks of now
  useEffect(() => {
    if (element.current !== null) return createEquityChart(element.current, data)
  }, [data, drawnWith])
  return <Box ref={element} role="img" aria-label={label} sx={{ height: heightPx, minWidth: 0 }} />
}
