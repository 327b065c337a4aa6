import { UNKNOWN } from '#kit/format/number.ts'
import { formatDateTimeYear, zoneWords } from '#kit/format/time.ts'
import { indexAtOrBefore } from '../candle-index.ts'
import { ValueTable } from '../value-table.tsx'
import css from './backtest-chart.module.css'
import type { BacktestChartData, Point } from './backtest-chart-data.ts'

export interface HoveredCandle {
  readonly t: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** As the chart has it; null before the first point of the curve. */
  readonly equity: number | null
  /** The prediction of this very candle's close; null where there is none. */
  readonly prediction: number | null
}

const valueAtOrBefore = (points: readonly Point[], times: readonly number[], t: number) =>
  points[indexAtOrBefore(times, t)]?.value ?? null

/** Looks up what is known of the candle at an index; null where there is no such candle. */
export function hoverLookup(data: BacktestChartData): (index: number) => HoveredCandle | null {
  const equityTimes = data.equity.map((point) => point.t)
  const predictions = new Map(data.predictions.map((point) => [point.t, point.value]))
  return (index) => {
    const row = data.candles[index]
    if (row === undefined) return null
    const [t, open, high, low, close] = row
    return {
      t,
      open,
      high,
      low,
      close,
      equity: valueAtOrBefore(data.equity, equityTimes, t),
      prediction: predictions.get(t) ?? null,
    }
  }
}

const ROWS = 24

/** Up to 24 candles spread evenly over the chart, the first and the last among them. */
export function sampledCandles(data: BacktestChartData): HoveredCandle[] {
  const lookup = hoverLookup(data)
  const count = Math.min(ROWS, data.candles.length)
  const rows: HoveredCandle[] = []
  for (let i = 0; i < count; i++) {
    const index = count === 1 ? 0 : Math.round((i * (data.candles.length - 1)) / (count - 1))
    const candle = lookup(index)
    if (candle !== null) rows.push(candle)
  }
  return rows
}

const pricesOf = ({ open, high, low, close }: HoveredCandle, format: (value: number) => string): [string, string][] => [
  ['O', format(open)],
  ['H', format(high)],
  ['L', format(low)],
  ['C', format(close)],
]

/** Open, high, low and close in a row. */
export const CandleFacts = ({
  candle,
  formatPrice,
}: {
  candle: HoveredCandle
  formatPrice: (value: number) => string
}) => (
  <span aria-hidden="true" className={css.prices}>
    {pricesOf(candle, formatPrice).map(([name, text]) => (
      <span key={name}>
        {name} <span className={css.value}>{text}</span>
      </span>
    ))}
  </span>
)

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
  const figures = pricesOf(hovered, formatPrice)
  if (hovered.prediction !== null) figures.push(['LSTM', formatPrice(hovered.prediction)])
  if (hovered.equity !== null) figures.push(['Equity', formatMoney(hovered.equity)])
  return (
    <div aria-hidden="true" className={css.readout}>
      <span>{formatDateTimeYear(hovered.t)}</span>
      {figures.map(([name, text]) => (
        <span key={name}>
          {name} <span className={css.value}>{text}</span>
        </span>
      ))}
    </div>
  )
}

/** The backtest chart in figures, for those who cannot see it. */
export function ChartTable({
  data,
  caption,
  formatTime,
  formatPrice,
  formatMoney,
}: {
  data: BacktestChartData
  caption: string
  formatTime: (ms: number) => string
  formatPrice: (value: number) => string
  formatMoney: (value: number) => string
}) {
  const rows = sampledCandles(data).map((row) => ({
    key: row.t,
    cells: [
      formatTime(row.t),
      formatPrice(row.close),
      row.equity === null ? UNKNOWN : formatMoney(row.equity),
      row.prediction === null ? UNKNOWN : formatPrice(row.prediction),
    ] as const,
  }))
  return (
    <ValueTable
      caption={caption}
      heads={[`Candle, ${zoneWords()}`, 'Close', 'Equity', 'LSTM Prediction']}
      rows={rows}
    />
  )
}
