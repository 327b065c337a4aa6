import type { ChartPrediction } from '@shapecast/contracts/prediction-columns'
import type { PredictionCloud } from '@shapecast/contracts/predictions'
import { originOf } from './prediction-origin.ts'
import type { PriceFan, PricePrediction } from './price-input.ts'

/** Predictions as the chart takes them: each belongs to the candle that it forecasts. */
export const pricePredictions = (rows: readonly ChartPrediction[]): PricePrediction[] =>
  rows.map((row) => ({
    t: row.aligned_ts,
    signal: row.signal,
    confidence: row.confidence,
    origin: originOf(row),
    lstm: row.lstm_prediction,
    transformer: row.transformer_prediction,
  }))

/** A fan as the chart takes it: from the last closed candle on, the nearest step first. */
export const priceFan = (cloud: PredictionCloud): PriceFan => ({
  t: cloud.timestamp,
  price: cloud.current_price,
  steps: cloud.points.toSorted((a, b) => a.horizon - b.horizon),
})
