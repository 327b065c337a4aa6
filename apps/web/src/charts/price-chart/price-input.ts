import type { Signal } from '@shapecast/contracts/ml'
import type { ChartPrediction } from '@shapecast/contracts/prediction-columns'
import type { PredictionCloud } from '@shapecast/contracts/predictions'

export type PriceChartType = 'candles' | 'line'

/**
 * How a prediction came to be. `live`: sealed before its outcome could be known. `backfilled`: worked out afterwards.
 * `trained_on`: worked out afterwards by a model that has learnt from the outcome, so it says nothing about its skill.
 */
export type PredictionOrigin = 'live' | 'backfilled' | 'trained_on'

/** What a model said of one candle. */
export interface PricePrediction {
  /** Open time of the candle that it belongs to, ms; up to 6 candles after the last. */
  readonly t: number
  readonly signal: Signal
  /** 0 to 1. */
  readonly confidence: number
  readonly origin: PredictionOrigin
  /** Predicted price; null where that network says nothing. */
  readonly lstm: number | null
  readonly transformer: number | null
}

/** Quantiles of the close of one candle to come, in quote. */
export interface FanStep {
  readonly q05: number
  readonly q25: number
  readonly q50: number
  readonly q75: number
  readonly q95: number
}

/** The forecast of the next candles: one step for each, the nearest first. */
export interface PriceFan {
  /** Open time of the last candle that was known, ms, and its close. */
  readonly t: number
  readonly price: number
  readonly steps: readonly FanStep[]
}

/** Steps of the future that the chart keeps room for. */
export const FUTURE_STEPS = 6

/** How a prediction came to be, as the chart writes it. */
export const ORIGIN_WORDS: Readonly<Record<PredictionOrigin, string>> = {
  live: 'live',
  backfilled: 'backfilled',
  trained_on: 'trained on',
}

/** What was sealed live counts as live, whatever the model has learnt since. */
export function originOf({ source, trainedOn }: Pick<ChartPrediction, 'source' | 'trainedOn'>): PredictionOrigin {
  if (source === 'live') return 'live'
  return trainedOn ? 'trained_on' : 'backfilled'
}

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
