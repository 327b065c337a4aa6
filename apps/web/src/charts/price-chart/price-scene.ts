import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { useEffect, useMemo, useState } from 'react'
import { type Indicator, type IndicatorLine, indicatorLines } from '../indicator-lines.ts'
import { FUTURE_STEPS, type PriceChartType, type PriceFan, type PricePrediction } from './price-input.ts'
import { type PredictionColumns, type PriceModel, predictionColumns, priceModel } from './price-model.ts'

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

const MINUTE_MS = 60_000

/** The span of the future zone in words: `Next 6 h`, `Next 30 min`, `Next 6 d`. */
export function futureLabel(timeframe: Timeframe): string {
  const minutes = (FUTURE_STEPS * TIMEFRAME_MS[timeframe]) / MINUTE_MS
  if (minutes < 60) return `Next ${minutes} min`
  if (minutes <= 24 * 60) return `Next ${minutes / 60} h`
  return `Next ${minutes / (24 * 60)} d`
}

type MoreIndicators = typeof import('../more-indicators.ts')

/** All indicators, once one beyond the averages is chosen; null before. */
function useMoreIndicators(chosen: readonly Indicator[]): MoreIndicators | null {
  const [more, setMore] = useState<MoreIndicators | null>(null)
  const isWanted = chosen.some((indicator) => indicator !== 'ema')
  useEffect(() => {
    // One that does not come is asked for again by the next choice.
    if (isWanted) import('../more-indicators.ts').then(setMore, () => undefined)
  }, [isWanted])
  return more
}

/** The scene of an input. */
export function usePriceScene({
  rows,
  timeframe,
  predictions,
  fan,
  type,
  indicators,
}: Pick<PriceScene, 'fan' | 'type'> & {
  rows: readonly CandleRow[]
  timeframe: Timeframe
  predictions: readonly PricePrediction[]
  indicators: readonly Indicator[]
}): PriceScene {
  const model = useMemo(() => priceModel(rows, TIMEFRAME_MS[timeframe]), [rows, timeframe])
  const more = useMoreIndicators(indicators)
  const lines = useMemo(() => indicatorLines(model, indicators, more?.linesOf ?? null), [model, indicators, more])
  const said = useMemo(
    () => (predictions.length === 0 ? null : predictionColumns(model, predictions)),
    [model, predictions],
  )
  return useMemo(
    () => ({ model, lines, predictions: said, fan, type, futureLabel: futureLabel(timeframe) }),
    [model, lines, said, fan, type, timeframe],
  )
}
