import { UNKNOWN } from '#kit/format/number.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { ValueTable } from '../value-table.tsx'
import type { BacktestChartData } from './backtest-chart-data.ts'
import { sampledCandles } from './hovered-candle.ts'

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
