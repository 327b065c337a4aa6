import type { ChartLine } from '@shapecast/contracts/charts'
import {
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type SeriesDataItemTypeMap,
  type SeriesType,
  type Time,
} from 'lightweight-charts'
import { painted } from '#kit/theme/scheme.ts'
import { chartColors, colors, tint } from '#kit/theme/tokens.ts'
import { candleLook, LSTM_DASH, untagged, utcSeconds } from '../chart-look.ts'
import type { RowChange } from '../chart-view.ts'
import { type IndicatorLine, LINE_LOOKS, type LineId } from '../indicator-lines.ts'
import { axisTag, tickLabels } from '../primitives/axis-tag-primitive.ts'
import { forecastSegments } from '../primitives/forecast-segments-primitive.ts'
import type { ValueSpan } from '../primitives/level-line-primitive.ts'
import { levelPrimitives } from '../primitives/price-levels.ts'
import { tradeMarkers } from '../primitives/trade-markers-primitive.ts'
import { markersOfFills } from '../trade-markers.ts'
import { FUTURE_LOOK, futureZone } from './future-primitive.ts'
import type { OwnMarks } from './own-marks.ts'
import { FUTURE_STEPS } from './price-input.ts'
import type { PriceScene } from './price-scene.ts'
import { SIGNAL_COLORS, signalMarks } from './signal-marks-primitive.ts'
import { trendLines } from './trend-lines-primitive.ts'

/** Share of the height that the volume takes. */
export const VOLUME_RATIO = 0.22
/** Shares of the height of the prices, and of each pane below them. */
const PRICE_STRETCH = 72
const PANE_STRETCH = 28

const MARKER_COLORS = { up: colors.up, down: colors.down, outline: colors.surface }

/** Its axis shows the two levels alone. */
const noTicks = (ticks: readonly number[]) => ticks.map(() => '')

/** A series of the library and how its point at a candle is made. */
interface Drawn<Kind extends SeriesType> {
  readonly series: ISeriesApi<Kind>
  readonly point: (index: number) => SeriesDataItemTypeMap[Kind]
}

/** Gives a series its points: the newest alone where only those have changed. */
function putPoints<Kind extends SeriesType>(
  { series, point }: Drawn<Kind>,
  count: number,
  change: RowChange,
  before: number,
): void {
  if (change.kind === 'none') return
  if (change.kind === 'tail' && change.from >= before - 1 && count - before <= 1)
    for (let i = change.from; i < count; i++) series.update(point(i))
  else series.setData(Array.from({ length: count }, (_, i) => point(i)))
}

/** The series of a price chart, with the tag of the last price; `sceneOf` is the scene of now. */
export function addPriceSeries(chart: IChartApi, sceneOf: () => PriceScene, formatPrice: (price: number) => string) {
  const model = () => sceneOf().model
  const lastClose = () => model().close.at(-1) ?? Number.NaN
  const time = (i: number) => utcSeconds(model().times[i]!)
  const valueAt = (values: Float64Array, i: number) =>
    Number.isNaN(values[i]!) ? { time: time(i) } : { time: time(i), value: values[i]! }

  const volumeColors = painted({ up: tint(chartColors.candleUp, 0.28), down: tint(chartColors.candleDown, 0.28) })
  const volume: Drawn<'Histogram'> = {
    series: chart.addSeries(HistogramSeries, { ...untagged, priceScaleId: 'volume' }),
    point: (i) => {
      const { open, close, volume: volumes } = model()
      const isUp = close[i]! >= open[i]!
      return {
        time: time(i),
        value: volumes[i]!,
        color: isUp ? volumeColors.up : volumeColors.down,
      }
    },
  }
  volume.series.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_RATIO, bottom: 0 } })
  const candles: Drawn<'Candlestick'> = {
    series: chart.addSeries(CandlestickSeries, painted(candleLook)),
    point: (i) => {
      const { open, high, low, close } = model()
      return { time: time(i), open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]! }
    },
  }
  const closes: Drawn<'Line'> = {
    series: chart.addSeries(
      LineSeries,
      painted({
        ...LINE_LOOKS.close,
        crosshairMarkerVisible: false,
        lastValueVisible: false,
        priceLineColor: chartColors.priceTag,
        priceLineStyle: LineStyle.Dotted,
        priceLineWidth: 1,
      } as const),
    ),
    point: (i) => valueAt(model().close, i),
  }
  const carrier = closes.series
  // Points without values: they give the future zone its times on the axis.
  const future = chart.addSeries(LineSeries, untagged)
  const tag = axisTag(0, '', painted({ ground: chartColors.priceTag, text: chartColors.tagText }))
  const forecasts = (name: 'lstm' | 'transformer') => () => {
    const { predictions } = sceneOf()
    return predictions === null ? null : { closes: model().close, forecasts: predictions[name] }
  }
  const drawnColor = painted(colors.text2)
  const trends = trendLines(model, drawnColor)
  for (const primitive of [
    trends,
    futureZone(sceneOf, painted(FUTURE_LOOK)),
    forecastSegments(forecasts('transformer'), {
      color: painted(chartColors.transformer),
      dash: [1.5, 2.5],
    }),
    forecastSegments(forecasts('lstm'), { color: painted(chartColors.lstm), dash: LSTM_DASH }),
    signalMarks(sceneOf, painted(SIGNAL_COLORS)),
    tag,
  ])
    carrier.attachPrimitive(primitive)

  let own: OwnMarks = { levels: [], fills: [] }
  const priceFormat = {
    type: 'custom',
    formatter: formatPrice,
    tickmarksFormatter: (prices: readonly number[]) =>
      tickLabels(
        prices,
        [lastClose(), ...own.levels.map(({ price }) => price)],
        (price) => carrier.priceToCoordinate(price),
        formatPrice,
      ),
    minMove: 1e-8,
  } as const

  const lines = new Map<LineId, ISeriesApi<'Line'>>()
  function addLine({ id, pane }: IndicatorLine): ISeriesApi<'Line'> {
    const look = painted({ ...untagged, ...LINE_LOOKS[id], crosshairMarkerVisible: false })
    if (pane === null) return chart.addSeries(LineSeries, { ...look, priceFormat })
    const first = sceneOf().lines.find((line) => line.pane?.id === pane.id && lines.has(line.id))
    const beside = first === undefined ? undefined : lines.get(first.id)?.getPane().paneIndex()
    const formatter = pane.digits === null ? formatPrice : (value: number) => value.toFixed(pane.digits!)
    const { range } = pane
    const series = chart.addSeries(
      LineSeries,
      {
        ...look,
        priceFormat: {
          type: 'custom',
          formatter,
          minMove: 1e-8,
          ...(pane.levels.length > 0 && { tickmarksFormatter: noTicks }),
        },
        ...(range !== undefined && {
          autoscaleInfoProvider: () => ({ priceRange: { minValue: range[0], maxValue: range[1] } }),
        }),
      },
      beside ?? chart.panes().length,
    )
    if (beside !== undefined) return series
    for (const price of pane.levels)
      series.createPriceLine(
        painted({
          price,
          color: chartColors.lastCandle,
          lineWidth: 1,
          lineStyle: LineStyle.Dotted,
          axisLabelColor: colors.surface,
          axisLabelTextColor: chartColors.text,
        } as const),
      )
    series.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.06 } })
    for (const [k, each] of chart.panes().entries()) each.setStretchFactor(k === 0 ? PRICE_STRETCH : PANE_STRETCH)
    return series
  }

  function putLines(change: RowChange, before: number): void {
    const shown = sceneOf().lines
    for (const [id, series] of lines)
      if (!shown.some((line) => line.id === id)) {
        // Its pane goes with the last series in it.
        chart.removeSeries(series)
        lines.delete(id)
      }
    for (const line of shown) {
      const { id, values } = line
      const known = lines.get(id)
      const series = known ?? addLine(line)
      lines.set(id, series)
      const drawn: Drawn<'Line'> = { series, point: (i) => valueAt(values, i) }
      putPoints(drawn, values.length, known === undefined ? { kind: 'other' } : change, before)
    }
  }

  let levels: IPriceLine[] = []
  /** Draws these lines in place of those before. */
  function draw(drawn: readonly ChartLine[]): void {
    for (const level of levels) carrier.removePriceLine(level)
    levels = drawn.flatMap((line) =>
      line.kind === 'level'
        ? [carrier.createPriceLine({ price: line.price, color: drawnColor, lineWidth: 1, lineStyle: LineStyle.Solid })]
        : [],
    )
    trends.show(drawn.filter((line) => line.kind === 'trend'))
  }

  let marks: readonly ISeriesPrimitive<Time>[] = []
  /** They stand on candles, so each change of those places them again. */
  function putMarks(): void {
    for (const each of marks) carrier.detachPrimitive(each)
    const { times, high, low } = model()
    const spanOf = (from: number, to: number): ValueSpan | null => {
      const [first, last] = [Math.max(0, Math.ceil(from)), Math.min(times.length, Math.floor(to) + 1)]
      return first < last
        ? { min: Math.min(...low.slice(first, last)), max: Math.max(...high.slice(first, last)) }
        : null
    }
    const lines = own.levels.map((level) => levelPrimitives(level, times, spanOf, formatPrice))
    marks = [
      ...lines.flatMap(({ line, tag: price }) => [line, price]),
      tradeMarkers(markersOfFills(own.fills, times), high, low, painted(MARKER_COLORS)),
    ]
    for (const each of marks) carrier.attachPrimitive(each)
  }

  function putFuture(): void {
    const { times, stepMs } = model()
    const last = times.at(-1)
    const ahead = last === undefined ? [] : Array.from({ length: FUTURE_STEPS }, (_, i) => last + (i + 1) * stepMs)
    future.setData(ahead.map((t) => ({ time: utcSeconds(t) })))
  }

  /** Writes the prices again, which `formatPrice` writes otherwise now. */
  function relabel(): void {
    if (model().count > 0) tag.show(lastClose(), formatPrice(lastClose()))
    for (const series of [carrier, candles.series, future]) series.applyOptions({ priceFormat })
  }
  relabel()

  return {
    /** Carries the closes, and with them the price scale and what is drawn by hand. */
    carrier,
    draw,
    /** Draws what an account did and holds in place of what was drawn of it before. */
    mark(next: OwnMarks): void {
      own = next
      putMarks()
    },
    relabel,
    /** Brings all series up to the scene of now: `change` says which candles are new, `before` how many there were. */
    put(change: RowChange, before: number): void {
      const { type } = sceneOf()
      const { count } = model()
      if (count > 0) tag.show(lastClose(), formatPrice(lastClose()))
      candles.series.applyOptions({ visible: type === 'candles' })
      closes.series.applyOptions({ lineVisible: type === 'line' })
      putPoints(volume, count, change, before)
      putPoints(candles, count, change, before)
      putPoints(closes, count, change, before)
      putLines(change, before)
      if (change.kind !== 'none' && own.levels.length + own.fills.length > 0) putMarks()
      if (change.kind === 'moved' || change.kind === 'other' || count !== before) putFuture()
    },
  }
}
