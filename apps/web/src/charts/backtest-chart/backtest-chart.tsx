import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { formatMoney, formatPrice as formatPriceBy } from '#kit/format/money.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import layout from '#kit/ui/layout.module.css'
import { useDrawnWith } from '../chart-look.ts'
import css from './backtest-chart.module.css'
import { type BacktestChartInput, prepareBacktestChart } from './backtest-chart-data.ts'
import { ChartReadout, ChartTable, hoverLookup } from './chart-figures.tsx'
import { type BacktestChartHandle, createBacktestChart } from './create-backtest-chart.ts'

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

  const money = input.inPercent === true ? formatChangePct : formatMoney
  const candle = hovered === null ? null : lookup(hovered)
  return (
    <figure className={css.figure}>
      <div
        ref={element}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move it
        tabIndex={0}
        role="application"
        aria-roledescription="chart"
        aria-label={`Backtest chart. ${KEYS}`}
        aria-describedby={summaryId}
        className={css.chart}
      />
      <div aria-hidden="true" className={`${css.pane} ${css.equity}`}>
        {input.inPercent === true ? 'Equity, from the left edge' : `Equity, ${quote}`}
      </div>
      <div aria-hidden="true" className={`${css.pane} ${css.drawdown}`}>
        {data.maxDrawdownPct > 0 ? `Drawdown, limit ${formatLimitPct(data.maxDrawdownPct)}` : 'Drawdown'}
      </div>
      {candle !== null && <ChartReadout hovered={candle} formatPrice={price} formatMoney={money} />}
      <figcaption id={summaryId} className={layout.visuallyHidden}>
        {summary}
      </figcaption>
      <ChartTable
        data={data}
        caption={`Backtest chart in figures, in ${quote}${input.inPercent === true ? ', equity in percent since the first candle' : ''}`}
        formatTime={formatTableTimeYear}
        formatPrice={price}
        formatMoney={money}
      />
    </figure>
  )
}
