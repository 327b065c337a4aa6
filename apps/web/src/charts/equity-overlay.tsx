import { createChart, LineSeries, LineStyle } from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { formatChangePct } from '#kit/format/percent.ts'
import { painted } from '#kit/theme/scheme.ts'
import { tint } from '#kit/theme/tokens.ts'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { fittedLook, useDrawnWith, utcSeconds } from './chart-look.ts'

export interface OverlayLine {
  readonly name: string
  readonly color: string
  readonly isDashed: boolean
  /** Percent since `startMs`; times ascend, ms. */
  readonly points: readonly { readonly t: number; readonly pct: number }[]
}

/** Paler before the stretch that counts. */
const BEFORE = 0.38

/** Returns of several runs on one axis, each 0 % where the stretch to judge by begins. */
export function EquityOverlay({
  lines,
  startMs,
  summary,
}: {
  lines: readonly OverlayLine[]
  startMs: number
  summary: string
}) {
  const element = useRef<HTMLDivElement>(null)
  const drawnWith = useDrawnWith()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it draws the colours and clocks of now
  useEffect(() => {
    if (element.current === null) return
    const look = fittedLook()
    const chart = createChart(element.current, {
      ...look,
      handleScroll: true,
      handleScale: true,
      // A label at an edge that cannot be passed is moved into sight.
      timeScale: { ...look.timeScale, fixLeftEdge: true, fixRightEdge: true },
      localization: {
        ...look.localization,
        priceFormatter: formatChangePct,
      },
    })
    for (const { color, isDashed, points } of lines) {
      const series = chart.addSeries(LineSeries, {
        color: painted(color),
        lineWidth: 2,
        lineStyle: isDashed ? LineStyle.Dashed : LineStyle.Solid,
        priceLineVisible: false,
      })
      series.setData(
        points.map(({ t, pct }) => ({
          time: utcSeconds(t),
          value: pct,
          ...(t < startMs && { color: painted(tint(color, BEFORE)) }),
        })),
      )
    }
    chart.timeScale().fitContent()
    return () => chart.remove()
  }, [lines, startMs, drawnWith])
  return <div ref={element} role="img" aria-label={summary} style={{ height: useIsNarrow() ? 260 : 320 }} />
}
