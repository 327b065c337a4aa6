import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { formatMoney, formatPrice as formatPriceBy } from '#kit/format/money.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import layout from '#kit/ui/layout.module.css'
import { useDrawnWith } from '../chart-look.ts'
import css from './backtest-chart.module.css'
import { type BacktestChartInput, prepareBacktestChart } from './backtest-chart-data.ts'
import { CandleFacts, ChartReadout, ChartTable, hoverLookup } from './chart-figures.tsx'
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
  factsIn = null,
  drawdownWords,
}: {
  input: BacktestChartInput
  /** Price step of the market; guessed from the prices where it is not known. */
  tickSize: number | undefined
  quote: string
  summary: string
  /** Candles to move to; a new object moves again. */
  lookAt?: { readonly fromMs: number; readonly toMs: number } | null
  /** Where open, high, low and close of the candle under the crosshair, or of the last one, are told; else they lie over the chart. */
  factsIn?: HTMLElement | null
  /** Over the drawdown, where that is not its name and limit. */
  drawdownWords?: string | undefined
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
  const candle = lookup(hovered ?? (factsIn === null ? -1 : data.candles.length - 1))
  return (
    <figure data-fills className={css.figure}>
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
        {drawdownWords ??
          (data.maxDrawdownPct > 0 ? `Drawdown, limit ${formatLimitPct(data.maxDrawdownPct)}` : 'Drawdown')}
      </div>
      {candle !== null &&
        (factsIn === null ? (
          <ChartReadout hovered={candle} formatPrice={price} formatMoney={money} />
        ) : (
          createPortal(<CandleFacts candle={candle} formatPrice={price} />, factsIn)
        ))}
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
