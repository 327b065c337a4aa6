import type { Candles } from '@shapecast/engine/candles'
import { buildFeatureTable } from '../features/feature-table.ts'
import { BLOCK_CANDLES, BLOCK_HISTORY } from '../features/segments.ts'
import { standardise } from '../features/standardise.ts'
import { CONFORMAL_WINDOW } from '../recipe/correct-fan.ts'
import { forecastSigma } from '../recipe/har-model.ts'
import { findOutcomes } from '../recipe/outcomes.ts'
import type { ScoreTable } from '../recipe/scores.ts'
import { type FittedRange, finishForecast, rangeCorrections, scoreForecast } from './finish-forecast.ts'
import type { Judgement, ModelParts } from './model-parts.ts'
import type { Predictions } from './predictions.ts'
import { layVolatility, runParts } from './raw-forecast.ts'

/** A model as an artifact holds it, opened. */
export interface OpenedModel {
  parts: ModelParts
  judgement: Judgement
  fitted: FittedRange
  earlierScores: ScoreTable
  fallback: readonly number[]
}

/** Candles before a forecast whose outcomes may correct its fan. */
export const scoredCandles = (horizons: number): number => CONFORMAL_WINDOW + horizons

/** Candles before a forecast that its numbers depend on: scored candles, a window, and the block that it lies in. */
export const historyCandles = ({ horizons, lookback }: Pick<ModelParts, 'horizons' | 'lookback'>): number =>
  scoredCandles(horizons) + lookback + BLOCK_CANDLES + BLOCK_HISTORY

/**
 * What forecasts of candles `from` … to the last rest on, and the corrections that they had when they were made: by how
 * those before fared.
 */
export async function readRange(model: OpenedModel, candles: Candles, from: number) {
  const { parts, judgement, fitted } = model
  const table = buildFeatureTable(candles, parts.timeframe, parts.featureNames)
  const matrix = standardise(table.features, parts.features)
  const sigma = forecastSigma(parts.har, table.harInputs)
  const start = Math.max(0, from - scoredCandles(parts.horizons))
  const raw = layVolatility(parts, await runParts(parts, table, matrix, start, candles.length), sigma)
  const { returns } = findOutcomes(candles.close, table, parts.horizons)
  const scores = scoreForecast(raw, candles, returns, fitted, parts.quantiles.length)
  const { timeframe } = parts
  const corrections = rangeCorrections({ ...model, timeframe, candles, scores, from, to: candles.length })
  return { matrix, read: { parts, judgement, candles, table, sigma, raw, corrections, from } }
}

/** Forecasts of candles `from` … to the last, from the candles before them. */
export const predictRange = async (model: OpenedModel, candles: Candles, from: number): Promise<Predictions> =>
  finishForecast((await readRange(model, candles, from)).read)
