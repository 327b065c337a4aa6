import type { Signal } from '@shapecast/contracts/ml'

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
