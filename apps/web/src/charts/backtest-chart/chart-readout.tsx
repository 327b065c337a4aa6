import { formatDateTimeYear } from '#kit/format/time.ts'
import css from './chart-readout.module.css'
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
    <div aria-hidden="true" className={css.readout}>
      <span>{formatDateTimeYear(hovered.t)}</span>
      {figures.map(([name, text]) => (
        <span key={name}>
          {name} <span className={css.figure}>{text}</span>
        </span>
      ))}
    </div>
  )
}
