import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { useMemo } from 'react'
import { type Indicator, indicatorLines } from '../indicator-lines.ts'
import { futureLabel } from './future-label.ts'
import type { PriceChartType, PriceFan, PricePrediction } from './price-input.ts'
import { predictionColumns, priceModel } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'

export interface PriceSceneInput {
  readonly rows: readonly CandleRow[]
  readonly timeframe: Timeframe
  readonly predictions: readonly PricePrediction[]
  readonly fan: PriceFan | null
  readonly type: PriceChartType
  readonly indicators: readonly Indicator[]
}

/** The scene of an input. */
export function usePriceScene({ rows, timeframe, predictions, fan, type, indicators }: PriceSceneInput): PriceScene {
  const model = useMemo(() => priceModel(rows, TIMEFRAME_MS[timeframe]), [rows, timeframe])
  const lines = useMemo(() => indicatorLines(model.close, indicators), [model, indicators])
  const said = useMemo(
    () => (predictions.length === 0 ? null : predictionColumns(model, predictions)),
    [model, predictions],
  )
  return useMemo(
    () => ({ model, lines, predictions: said, fan, type, futureLabel: futureLabel(timeframe) }),
    [model, lines, said, fan, type, timeframe],
  )
}
