import { Box } from '@mui/material'
import type { BacktestChartData } from './backtest-chart-data.ts'
import { sampledCandles } from './hovered-candle.ts'
import { visuallyHidden } from './visually-hidden.ts'

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
