import type { Logical } from 'lightweight-charts'
import { chartColors } from '../../shared/theme/tokens.ts'
import type { BacktestChartData } from '../backtest-chart-data.ts'
import { forecastSegments } from '../forecast-segments.ts'
import { type DrawTarget, drawOnDevice } from './draw-target.ts'
import { PanePrimitive } from './pane-primitive.ts'

/** Draws what the LSTM expected of each candle as a short segment from the close at which it was said. */
export class ForecastSegmentsPrimitive extends PanePrimitive {
  readonly #closes: Float64Array
  readonly #forecasts: Float64Array

  constructor({ candles, times, predictions }: Pick<BacktestChartData, 'candles' | 'times' | 'predictions'>) {
    super({ top: (target) => this.#draw(target) })
    this.#closes = Float64Array.from(candles, (row) => row[4])
    this.#forecasts = new Float64Array(times.length + 1).fill(Number.NaN)
    const indexOf = new Map(times.map((t, i) => [t, i]))
    for (const { t, value } of predictions) this.#forecasts[indexOf.get(t) ?? times.length] = value
  }

  #draw(target: DrawTarget): void {
    const { attachment } = this
    if (attachment === null) return
    const scale = attachment.chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    const [x0, x1] = [scale.logicalToCoordinate(0 as Logical), scale.logicalToCoordinate(1 as Logical)]
    if (range === null || x0 === null || x1 === null) return
    const spacingPx = x1 - x0
    drawOnDevice(target, ({ context }) => {
      context.strokeStyle = chartColors.lstm
      context.lineWidth = 1.5
      context.beginPath()
      const span = {
        from: Math.max(0, Math.floor(range.from)),
        to: Math.ceil(range.to),
        spacingPx,
        x: (index: number) => x0 + index * spacingPx,
        y: (price: number) => attachment.series.priceToCoordinate(price) ?? Number.NaN,
      }
      for (const { from, to } of forecastSegments(this.#forecasts, this.#closes, span)) {
        context.moveTo(from.x, from.y)
        context.lineTo(to.x, to.y)
      }
      context.stroke()
    })
  }
}
