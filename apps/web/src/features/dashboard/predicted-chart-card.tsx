import type { Timeframe } from '@shapecast/contracts/timeframes'
import { useMemo } from 'react'
import { PriceChartCard } from '../../charts/price-chart/price-chart-card.tsx'
import { FUTURE_STEPS } from '../../charts/price-chart/price-input.ts'
import { priceFan, pricePredictions } from '../../charts/price-chart/said-of-candles.ts'
import { usePredictionFan } from '../../shared/api/use-prediction-fan.ts'
import { usePredictions } from '../../shared/api/use-predictions.ts'

const CANDLES_AT_FIRST = 100

/** A market's chart with what the current model said of its candles, and its fan of those to come. */
export function PredictedChartCard({
  symbol,
  timeframe,
  heightPx,
}: {
  symbol: string
  timeframe: Timeframe
  heightPx: number
}) {
  const { rows, loadOlder, error } = usePredictions({ symbol, timeframe, limit: CANDLES_AT_FIRST })
  const cloud = usePredictionFan(symbol, timeframe, FUTURE_STEPS)
  const predictions = useMemo(() => pricePredictions(rows ?? []), [rows])
  const fan = useMemo(() => (cloud === undefined ? null : priceFan(cloud)), [cloud])
  return (
    <PriceChartCard
      symbol={symbol}
      timeframe={timeframe}
      limit={CANDLES_AT_FIRST}
      heightPx={heightPx}
      predictions={predictions}
      fan={fan}
      predictionsError={error}
      onNearOldest={loadOlder}
    />
  )
}
