import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, joinCandles, sliceCandles } from '@shapecast/engine/candles'
import { modelVolatility } from '@shapecast/engine/policies/measures'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import type { Predictions } from '@shapecast/ml/forecast/predictions'
import type { RunForecast } from '../deciders/decider.ts'
import { medianColumn } from '../forecasts/record/shown-prediction.ts'
import type { RunCandles } from './run-candles.ts'

/**
 * Between two blocks a run reports how far it is, and can be stopped. Each rests on some 3,000 candles of history, so
 * much smaller ones would compute most of their features twice.
 */
const BLOCK = 5000

/** One model's forecasts for the candles of a run, each made at that candle's close; NaN where none is possible. */
export interface Forecasts extends RunForecast {
  /** The median of the next close that is drawn, quote. */
  readonly nextClose: Float64Array
}

/**
 * Forecasts candle by candle of a run, from candles before it if there are some. `onCandles` hears how many are
 * done; the candles that the forecasts rest on are given back for the run's hash.
 */
export async function forecastRun(
  candles: RunCandles,
  predictor: ModelPredictor,
  options: { signal?: AbortSignal | undefined; onCandles?(done: number): void },
): Promise<{ forecasts: Forecasts; basis: Candles }> {
  const { run } = candles
  const { horizons } = predictor.traits
  const history = predictor.historyCandles
  const before = await candles.before(history)
  const basis = joinCandles(before, run)
  const forecasts: Forecasts = {
    signal: new Int8Array(run.length),
    confidence: new Float64Array(run.length),
    edgeBps: new Float64Array(run.length),
    nextClose: new Float64Array(run.length),
    volatility: new Float64Array(run.length),
    pUp: new Float64Array(run.length),
    medians: Array.from({ length: horizons }, () => new Float64Array(run.length)),
  }
  for (let at = 0; at < run.length; at += BLOCK) {
    options.signal?.throwIfAborted()
    const until = Math.min(run.length, at + BLOCK)
    const first = Math.max(0, before.length + at - history)
    const block = sliceCandles(basis, first, before.length + until)
    const range = { from: before.length + at - first, to: block.length }
    const made = await predictor.predict(block, range)
    forecasts.signal.set(made.signal, at)
    forecasts.confidence.set(made.confidence, at)
    forecasts.edgeBps.set(made.edgeBps, at)
    forecasts.nextClose.set(medianColumn(made, 'lstm'), at)
    forecasts.pUp.set(made.pUp, at)
    for (const [h, median] of forecasts.medians.entries()) median.set(medianOf(made, h), at)
    forecasts.volatility.set(volatilityOf(made, predictor.traits.timeframe), at)
    options.onCandles?.(until)
  }
  return { forecasts, basis }
}

/** The median of the close `h` + 1 candles ahead, of each candle. */
const medianOf = ({ quantilePrices, horizons, quantiles, pUp }: Predictions, h: number): Float64Array =>
  pUp.map((_, k) => quantilePrices[(k * horizons + h) * quantiles.length + quantiles.indexOf(0.5)]!)

function volatilityOf({ quantilePrices, horizons, quantiles, pUp }: Predictions, timeframe: Timeframe): Float64Array {
  const width = quantiles.length
  return Float64Array.from(pUp, (_, k) => {
    const last = (k * horizons + horizons - 1) * width
    return modelVolatility(quantilePrices[last]!, quantilePrices[last + width - 1]!, horizons, timeframe)
  })
}
