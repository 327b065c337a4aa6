import { drawdownsPct } from '@shapecast/engine/indicators/drawdown'
import { type AutoscaleInfo, BaselineSeries, createChart, LineSeries } from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { formatFixed } from '#kit/format/number.ts'
import { formatLimitPct } from '#kit/format/percent.ts'
import { painted } from '#kit/theme/scheme.ts'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { equityLook, fittedLook, useDrawnWith, utcSeconds } from './chart-look.ts'
import css from './equity-chart.module.css'

export interface EquityPoint {
  /** ms */
  readonly t: number
  /** Quote. */
  readonly equity: number
}

export interface EquityChartData {
  readonly equity: readonly EquityPoint[]
  /** The same money held; may be empty. */
  readonly hold: readonly EquityPoint[]
  readonly initialBalance: number
  /** Percent below the peak at which the bot pauses. */
  readonly maxDrawdownPct: number
}

const untagged = { lastValueVisible: true, priceLineVisible: false } as const
const money = { type: 'custom', formatter: (value: number) => formatFixed(value, 2), minMove: 0.01 } as const
const percent = { type: 'custom', formatter: (value: number) => `${formatFixed(value, 1)}%`, minMove: 0.1 } as const

/** Draws equity beside buy and hold, and below it the fall from the peak with its limit. Returns what takes it away. */
export function createEquityChart(element: HTMLElement, data: EquityChartData): () => void {
  const host = document.createElement('div')
  host.setAttribute('aria-hidden', 'true')
  host.style.cssText = 'position: absolute; inset: 0'
  element.append(host)
  const chart = createChart(host, fittedLook())
  const line = (points: readonly EquityPoint[]) =>
    points.map(({ t, equity }) => ({ time: utcSeconds(t), value: equity }))

  const hold = chart.addSeries(
    LineSeries,
    painted({ ...untagged, color: chartColors.emaSlow, lineWidth: 1, priceFormat: money } as const),
    0,
  )
  hold.setData(line(data.hold))
  const equity = chart.addSeries(LineSeries, painted({ ...equityLook, ...untagged, priceFormat: money }), 0)
  equity.setData(line(data.equity))
  equity.createPriceLine({
    price: data.initialBalance,
    color: painted(chartColors.initialBalance),
    lineStyle: 2,
    lineWidth: 1,
    axisLabelVisible: false,
  })

  const fall = chart.addSeries(
    BaselineSeries,
    painted({
      ...untagged,
      baseValue: { type: 'price', price: 0 },
      priceFormat: percent,
      bottomLineColor: colors.down,
      bottomFillColor1: tint(colors.down, 0.05),
      bottomFillColor2: tint(colors.down, 0.25),
      topLineColor: colors.down,
      topFillColor1: 'transparent',
      topFillColor2: 'transparent',
      lineWidth: 1,
    } as const),
    1,
  )
  const values = data.equity.map((point) => point.equity)
  const drawdowns = drawdownsPct(values, values[0] ?? 0)
  fall.setData(data.equity.map(({ t }, i) => ({ time: utcSeconds(t), value: 0 - drawdowns[i]! })))
  // Down to its limit, however far that is.
  fall.applyOptions({
    autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => {
      const info = own()
      const minValue = Math.min(-data.maxDrawdownPct, info?.priceRange?.minValue ?? 0)
      return { ...info, priceRange: { minValue, maxValue: 0 } }
    },
  })
  fall.createPriceLine({
    price: -data.maxDrawdownPct,
    color: painted(colors.warn),
    lineStyle: 2,
    lineWidth: 1,
    axisLabelVisible: true,
  })
  chart.panes()[0]?.setStretchFactor(3)
  chart.panes()[1]?.setStretchFactor(1)
  chart.timeScale().fitContent()
  return () => {
    chart.remove()
    host.remove()
  }
}

/** Equity beside buy and hold, and the fall from the peak. `label` says it to a screen reader. */
export function EquityChart({ data, label }: { data: EquityChartData; label: string }) {
  const element = useRef<HTMLDivElement>(null)
  const drawnWith = useDrawnWith()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it draws the colours and clocks of now
  useEffect(() => {
    if (element.current !== null) return createEquityChart(element.current, data)
  }, [data, drawnWith])
  return (
    <figure data-fills className={css.figure}>
      <div ref={element} role="img" aria-label={label} className={css.chart} />
      <div aria-hidden="true" className={css.words}>
        Drawdown, limit {formatLimitPct(data.maxDrawdownPct)}
      </div>
    </figure>
  )
}
