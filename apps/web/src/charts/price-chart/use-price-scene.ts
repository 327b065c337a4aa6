import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { useMemo, useRef } from 'react'
import { futureLabel } from './future-label.ts'
import type { PriceChartType, PriceFan, PricePrediction } from './price-input.ts'
import { type PriceModel, predictionColumns, priceModel } from './price-model.ts'
import type { PriceScene } from './price-scene.ts'
import { rowChange } from './row-change.ts'

export interface PriceSceneInput {
  readonly rows: readonly CandleRow[]
  readonly timeframe: Timeframe
  readonly predictions: readonly PricePrediction[]
  readonly fan: PriceFan | null
  readonly type: PriceChartType
  readonly showEma: boolean
}

/** The scene of an input. Averages are carried on from the last one where only the newest candles have changed. */
export function usePriceScene({ rows, timeframe, predictions, fan, type, showEma }: PriceSceneInput): PriceScene {
  const before = useRef<PriceModel | null>(null)
  const model = useMemo(() => {
    const stepMs = TIMEFRAME_MS[timeframe]
    const last = before.current?.stepMs === stepMs ? before.current : null
    const change = last === null ? null : rowChange(last.rows, rows)
    const made =
      last !== null && change?.kind === 'tail' ? priceModel(rows, stepMs, last, change.from) : priceModel(rows, stepMs)
    before.current = made
    return made
  }, [rows, timeframe])
  const said = useMemo(
    () => (predictions.length === 0 ? null : predictionColumns(model, predictions)),
    [model, predictions],
  )
  return useMemo(
    () => ({ model, predictions: said, fan, type, showEma, futureLabel: futureLabel(timeframe) }),
    [model, said, fan, type, showEma, timeframe],
  )
}
