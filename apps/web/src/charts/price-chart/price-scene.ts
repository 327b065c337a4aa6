import type { IndicatorLine } from '../indicator-lines.ts'
import type { PriceChartType, PriceFan } from './price-input.ts'
import type { PredictionColumns, PriceModel } from './price-model.ts'

/** Everything that the chart shows at a moment. */
export interface PriceScene {
  readonly model: PriceModel
  readonly lines: readonly IndicatorLine[]
  readonly predictions: PredictionColumns | null
  readonly fan: PriceFan | null
  readonly type: PriceChartType
  /** Words at the foot of the future zone. */
  readonly futureLabel: string
}
