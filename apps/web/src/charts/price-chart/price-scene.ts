import type { PriceChartType, PriceFan } from './price-input.ts'
import type { PredictionColumns, PriceModel } from './price-model.ts'

/** Everything that the chart shows at a moment. */
export interface PriceScene {
  readonly model: PriceModel
  readonly predictions: PredictionColumns | null
  readonly fan: PriceFan | null
  readonly type: PriceChartType
  readonly showEma: boolean
  /** Words at the foot of the future zone. */
  readonly futureLabel: string
}

/** A scene and where to draw it, in CSS pixels of the pane. */
export interface PriceCanvas {
  readonly context: CanvasRenderingContext2D
  readonly scene: PriceScene
  readonly widthPx: number
  readonly heightPx: number
  /** Centre of the candle at an index. */
  readonly x: (index: number) => number
  readonly y: (price: number) => number
  readonly spacingPx: number
  /** First and last candle that is to be drawn; `to` is below `from` where there is none. */
  readonly from: number
  readonly to: number
  /** Moves an edge to the nearest device pixel. */
  readonly snapX: (px: number) => number
  readonly snapY: (px: number) => number
  /** One device pixel. */
  readonly hairPx: number
}
