import { type IChartApi, type ISeriesApi, LineSeries, LineStyle, type UTCTimestamp } from 'lightweight-charts'
import { chartColors } from '../../shared/theme/tokens.ts'
import { AxisTagPrimitive } from '../primitives/axis-tag-primitive.ts'
import { tickLabels } from '../tick-labels.ts'
import { FUTURE_STEPS } from './price-input.ts'
import { PriceLayersPrimitive } from './price-layers-primitive.ts'
import type { PriceScene } from './price-scene.ts'
import type { RowChange } from './row-change.ts'

export interface PriceSeries {
  /** Carries the closes, and with them the price scale and all that is drawn. */
  readonly carrier: ISeriesApi<'Line'>
  /** Brings the closes up to the scene of now: `change` says what is new, `before` how many there were. */
  put(change: RowChange, before: number): void
}

const seconds = (ms: number) => (ms / 1000) as UTCTimestamp

/** The series of a price chart, with the tag of the last price; `sceneOf` is the scene of now. */
export function addPriceSeries(
  chart: IChartApi,
  sceneOf: () => PriceScene,
  formatPrice: (price: number) => string,
): PriceSeries {
  const lastClose = () => {
    const { close, count } = sceneOf().model
    return close[count - 1] ?? Number.NaN
  }
  const carrier = chart.addSeries(LineSeries, {
    lineVisible: false,
    crosshairMarkerVisible: false,
    lastValueVisible: false,
    priceLineColor: chartColors.priceTag,
    priceLineStyle: LineStyle.Dotted,
    priceLineWidth: 1,
  })
  // Points without values: they give the future zone its times on the axis.
  const future = chart.addSeries(LineSeries, { lastValueVisible: false, priceLineVisible: false })
  const tag = new AxisTagPrimitive(0, '', { ground: chartColors.priceTag, text: chartColors.tagText })
  carrier.attachPrimitive(new PriceLayersPrimitive(sceneOf))
  carrier.attachPrimitive(tag)
  const priceFormat = {
    type: 'custom',
    formatter: formatPrice,
    tickmarksFormatter: (prices: readonly number[]) =>
      tickLabels(prices, [lastClose()], (price) => carrier.priceToCoordinate(price), formatPrice),
    minMove: 1e-8,
  } as const
  carrier.applyOptions({ priceFormat })
  future.applyOptions({ priceFormat })

  function putFuture(): void {
    const { times, count, stepMs } = sceneOf().model
    const last = times[count - 1]
    const ahead = last === undefined ? [] : Array.from({ length: FUTURE_STEPS }, (_, i) => last + (i + 1) * stepMs)
    future.setData(ahead.map((t) => ({ time: seconds(t) })))
  }

  return {
    carrier,
    put(change, before) {
      const { count, close, times } = sceneOf().model
      const point = (i: number) => ({ time: seconds(times[i]!), value: close[i]! })
      const putAll = () => carrier.setData(Array.from({ length: count }, (_, i) => point(i)))
      if (count > 0) tag.show(lastClose(), formatPrice(lastClose()))
      switch (change.kind) {
        case 'none':
          break
        case 'tail':
          if (change.from < before - 1 || count - before > 1) putAll()
          else for (let i = change.from; i < count; i++) carrier.update(point(i))
          if (count !== before) putFuture()
          break
        case 'moved':
        case 'other':
          putAll()
          putFuture()
          break
        default:
          change satisfies never
      }
    },
  }
}
