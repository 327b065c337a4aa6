import {
  AreaSeries,
  CandlestickSeries,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
} from 'lightweight-charts'
import { formatPnl } from '#kit/format/money.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'
import { painted } from '#kit/theme/scheme.ts'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { indexAtOrBefore } from '../candle-index.ts'
import { attachChartGestures } from '../chart-gestures.ts'
import {
  CHART_FONT_11,
  candleLook,
  chartLook,
  drawdownLook,
  equityLook,
  LSTM_DASH,
  predictionLook,
  utcSeconds,
} from '../chart-look.ts'
import { createChartView } from '../chart-view.ts'
import { LINE_LOOKS } from '../indicator-lines.ts'
import { FUTURE_LOOK, futureZone } from '../price-chart/future-primitive.ts'
import { FUTURE_STEPS } from '../price-chart/price-input.ts'
import { type AxisTag, type AxisTagStyle, axisTag, tickLabels } from '../primitives/axis-tag-primitive.ts'
import { forecastSegments } from '../primitives/forecast-segments-primitive.ts'
import { levelLine } from '../primitives/level-line-primitive.ts'
import { levelPrimitives } from '../primitives/price-levels.ts'
import { rangeShade } from '../primitives/range-shade-primitive.ts'
import { tradeMarkers } from '../primitives/trade-markers-primitive.ts'
import { type ChartFrame, WHOLE_FRAME } from '../visible-range.ts'
import { type BacktestChartData, type FutureFan, forecastsOfPoints, spanOfPoints } from './backtest-chart-data.ts'

export interface ValueFormats {
  price(value: number): string
  money(value: number): string
}

const UNTAGGED = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false } as const

type AnySeries = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'> | ISeriesApi<'Area'>

/** Values of a pane's axis in the product's formats; a tick under one of the tags is left out. */
function formatAxis(series: AnySeries, tags: readonly AxisTag[], format: (value: number) => string): void {
  const labels = (prices: readonly number[]) =>
    tickLabels(
      prices,
      tags.map((tag) => tag.value()),
      (price) => series.priceToCoordinate(price),
      format,
    )
  const priceFormat = { type: 'custom', formatter: format, tickmarksFormatter: labels, minMove: 1e-8 } as const
  series.applyOptions({ priceFormat })
}

const shade = (data: BacktestChartData, withWords: boolean) =>
  rangeShade(
    data.seen,
    data.times.length,
    painted({
      fill: tint(colors.warn, 0.05),
      edge: tint(colors.warn, 0.55),
      words: withWords ? { inside: 'in-sample', outside: 'unseen', font: CHART_FONT_11 } : null,
      insideColor: colors.warn,
      outsideColor: colors.text2,
      wordGround: colors.surface,
    }),
  )

/** All candles and the zone of the future. */
const WITH_FUTURE: ChartFrame = {
  limits: (count, widthPx) => WHOLE_FRAME.limits(count + FUTURE_STEPS, widthPx),
  home: (count, widthPx) => WHOLE_FRAME.home(count + FUTURE_STEPS, widthPx),
}

/** The fan of the next candles behind the last one, which begins where that closed. */
function drawFuture(
  chart: IChartApi,
  candles: ISeriesApi<'Candlestick'>,
  times: readonly number[],
  { fan, label }: FutureFan,
): void {
  const count = times.length
  const stepMs = count > 1 ? times[count - 1]! - times[count - 2]! : 0
  const scene = { fan, futureLabel: label, model: { times: Float64Array.from(times), count, stepMs } }
  candles.attachPrimitive(futureZone(() => scene, painted(FUTURE_LOOK)))
  // Points without values: they give the future zone its times on the axis.
  chart
    .addSeries(LineSeries, { lastValueVisible: false, priceLineVisible: false })
    .setData(Array.from({ length: FUTURE_STEPS }, (_, i) => ({ time: utcSeconds(times.at(-1)! + (i + 1) * stepMs) })))
}

/**
 * Draws candles, predictions and trades on the upper 60 %, equity below, into `element`, and listens to its wheel,
 * pointer and keys. `onHover` is told the index of the candle under the crosshair, null where there is none. Returns
 * what moves the chart and takes it away.
 */
export function createBacktestChart(
  element: HTMLElement,
  data: BacktestChartData,
  formats: ValueFormats,
  onHover: (index: number | null) => void,
) {
  // The library lays itself out in a table, which would be read aloud as one.
  const host = document.createElement('div')
  host.setAttribute('aria-hidden', 'true')
  host.style.cssText = 'position: absolute; inset: 0'
  element.append(host)
  const chart = createChart(host, chartLook())
  const candles = chart.addSeries(CandlestickSeries, painted(candleLook), 0)
  // Above the candles. It carries the axis tag and autoscale; its segments are drawn by the primitive.
  const prediction = chart.addSeries(LineSeries, painted({ ...predictionLook, lineVisible: false }), 0)
  const hold = chart.addSeries(LineSeries, painted({ ...equityLook, color: chartColors.emaSlow, lineWidth: 1 }), 1)
  const equity = chart.addSeries(LineSeries, painted(equityLook), 1)
  const drawdown = chart.addSeries(AreaSeries, painted(drawdownLook), 2)
  chart.panes()[0]?.setStretchFactor(60)
  chart.panes()[1]?.setStretchFactor(27)
  chart.panes()[2]?.setStretchFactor(13)
  // Room for the words of each pane, which lie over its left end.
  equity.priceScale().applyOptions({ scaleMargins: { top: 0.25, bottom: 0.12 } })
  // The lowest pane is so low that ticks of the usual distance would leave none.
  drawdown
    .priceScale()
    .applyOptions({ tickMarkDensity: 2, scaleMargins: { top: 0.04, bottom: data.maxDrawdownPct > 0 ? 0.06 : 0.36 } })

  candles.setData(data.candles.map(([t, open, high, low, close]) => ({ time: utcSeconds(t), open, high, low, close })))
  prediction.setData(data.predictions.map(({ t, value }) => ({ time: utcSeconds(t), value })))
  for (const { look, values } of data.lines)
    chart
      .addSeries(LineSeries, painted({ ...UNTAGGED, ...LINE_LOOKS[look] }), 0)
      .setData(
        data.times.flatMap((t, i) => (Number.isFinite(values[i]) ? [{ time: utcSeconds(t), value: values[i]! }] : [])),
      )
  hold.setData(data.hold.map(({ t, value }) => ({ time: utcSeconds(t), value })))
  equity.setData(data.equity.map(({ t, value }) => ({ time: utcSeconds(t), value })))

  const said = forecastsOfPoints(data)
  drawdown.setData(data.drawdown.map(({ t, value }) => ({ time: utcSeconds(t), value })))
  prediction.attachPrimitive(forecastSegments(() => said, { color: painted(chartColors.lstm), dash: LSTM_DASH }))

  if (data.seen.length > 0) {
    candles.attachPrimitive(shade(data, true))
    equity.attachPrimitive(shade(data, false))
    drawdown.attachPrimitive(shade(data, false))
  }
  const highs = Float64Array.from(data.candles, (row) => row[2])
  const lows = Float64Array.from(data.candles, (row) => row[3])
  const markerStyle = painted({ up: colors.up, down: colors.down, outline: colors.surface })
  const results = data.namesResults ? { results: { font: CHART_FONT_11, format: formatPnl } } : {}
  candles.attachPrimitive(tradeMarkers(data.markers, highs, lows, { ...markerStyle, ...results }))
  const words = { font: CHART_FONT_11, ground: colors.surface }
  const closes = data.candles.map(([t, , , , value]) => ({ t, value }))
  const levels = data.levels.map((level) =>
    levelPrimitives(level, data.times, spanOfPoints(closes, data.times), formats.price),
  )
  for (const { line } of levels) candles.attachPrimitive(line)
  const beginning = painted({ ...words, line: chartColors.initialBalance, text: colors.text2 })
  const name = data.inPercent ? '' : 'Initial balance'
  equity.attachPrimitive(levelLine(data.beginning, name, beginning, spanOfPoints(data.equity, data.times)))
  /** The tag of a value on the axis of a series; none of one that is not there. */
  const tagged = (
    series: AnySeries,
    value: number | undefined,
    format: (value: number) => string,
    style: AxisTagStyle,
  ): AxisTag[] => {
    if (value === undefined) return []
    const tag = axisTag(value, format(value), painted(style))
    series.attachPrimitive(tag)
    return [tag]
  }
  const limitTags: AxisTag[] = []
  if (data.maxDrawdownPct > 0) {
    const limit = painted({ ...words, line: colors.warn, text: colors.warn })
    drawdown.attachPrimitive(levelLine(-data.maxDrawdownPct, '', limit, () => null))
    const written = () => `−${formatLimitPct(data.maxDrawdownPct)}`
    limitTags.push(...tagged(drawdown, -data.maxDrawdownPct, written, { ground: colors.surface, text: colors.warn }))
  }
  const plain = { ground: chartColors.priceTag, text: chartColors.tagText }
  const predicted = { ground: chartColors.predictionTag, text: colors.accentHi }
  const priceTags = [
    ...tagged(candles, data.candles.at(-1)?.[4], formats.price, plain),
    ...levels.map(({ tag }) => {
      candles.attachPrimitive(tag)
      return tag
    }),
    ...tagged(prediction, data.predictions.at(-1)?.value, formats.price, predicted),
  ]
  const money = data.inPercent ? formatChangePct : formats.money
  const held = { ground: chartColors.crosshairLabel, text: chartColors.tagText }
  const equityTags = [
    ...tagged(equity, data.hold.at(-1)?.value, money, held),
    ...tagged(equity, data.equity.at(-1)?.value, money, plain),
  ]
  formatAxis(prediction, priceTags, formats.price)
  formatAxis(candles, priceTags, formats.price)
  // The axis is labelled by the first series of its pane.
  formatAxis(hold, equityTags, money)
  formatAxis(equity, equityTags, money)
  formatAxis(drawdown, limitTags, (value) => `${value.toFixed(0).replace('-', '−')}%`)

  if (data.future !== null) drawFuture(chart, candles, data.times, data.future)
  const view = createChartView(chart, data.future === null ? WHOLE_FRAME : WITH_FUTURE)
  view.candlesChanged({ kind: 'other' }, data.times.length)
  const onSize = () => view.apply()
  chart.timeScale().subscribeSizeChange(onSize)
  chart.subscribeCrosshairMove(({ logical }) => {
    const index = logical === undefined ? null : Math.round(logical)
    onHover(index !== null && index >= 0 && index < data.times.length ? index : null)
  })
  const detach = attachChartGestures(element, view)
  return {
    /** Moves to the candles between two times, ms. */
    lookAt: (fromMs: number, toMs: number) =>
      view.lookAt(indexAtOrBefore(data.times, fromMs), indexAtOrBefore(data.times, toMs)),
    remove(): void {
      detach()
      chart.remove()
      host.remove()
    },
  }
}
export type BacktestChartHandle = ReturnType<typeof createBacktestChart>
