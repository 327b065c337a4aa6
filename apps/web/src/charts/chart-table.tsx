import { Box } from '@mui/material'
import type { BacktestChartData } from './backtest-chart-data.ts'
import { type HoveredCandle, hoverLookup } from './hovered-candle.ts'
import { visuallyHidden } from './visually-hidden.ts'

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

/** The chart in figures, for those who cannot see it. */
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
  return (
    <Box sx={visuallyHidden}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Candle, UTC</th>
            <th scope="col">Close</th>
            <th scope="col">Equity</th>
            <th scope="col">LSTM Prediction</th>
          </tr>
        </thead>
        <tbody>
          {sampledCandles(data).map((row) => (
            <tr key={row.t}>
              <th scope="row">{formatTime(row.t)}</th>
              <td>{formatPrice(row.close)}</td>
              <td>{row.equity === null ? '—' : formatMoney(row.equity)}</td>
              <td>{row.prediction === null ? '—' : formatPrice(row.prediction)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}
