import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { WARMUP_CANDLES } from '@shapecast/contracts/training-candles'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { signalOfDecision } from '@shapecast/engine/decisions'
import { type Predictions, reasonFor } from '@shapecast/ml/forecast/predictions'
import type { CandleSource } from '../market/series-market.ts'
import type { OpenModel } from '../models/predictors.ts'
import type { KeptForecasts } from './kept-forecasts.ts'
import type { SealableForecast } from './record/seal-predictions.ts'
import { keptMedians, shownPrediction } from './record/shown-prediction.ts'

/** A forecast at one candle's close with everything that comes of it. */
export interface Forecast extends SealableForecast {
  /** Costs of a round trip that the edge is after. */
  readonly costBps: number
}

export interface SeriesName {
  symbol: string
  timeframe: Timeframe
}

/** What a row of predictions says at this close, its signal as a code. */
export const saidAt = (made: Predictions, row: number, price: number) => ({
  signal: made.signal[row]!,
  confidence: made.confidence[row]!,
  price,
  ...keptMedians(made, row),
  stopLoss: made.stopLoss[row]!,
  edgeBps: made.edgeBps[row]!,
})

/**
 * The forecast at a series' last closed candle up to `toMs`, from `candlesAtLeast` candles or as many as the model needs.
 * Throws `no_candles`, `too_few_candles`, `unknown_symbol`.
 */
export async function forecastNewest(
  source: CandleSource,
  { symbol, timeframe }: SeriesName,
  model: OpenModel,
  candlesAtLeast: number,
  kept: KeptForecasts<Forecast>,
  toMs?: number,
): Promise<Forecast> {
  const { predictor } = model
  const limit = Math.max(candlesAtLeast, predictor.historyCandles + 1)
  const candles = await source.load(symbol, timeframe, { toMs, limit })
  if (candles.length === 0)
    throw new AppError(
      'no_candles',
      `No candles of ${symbol} ${timeframe} are stored. Import some, or wait for the feed.`,
    )
  const basis = sliceCandles(candles, Math.max(0, candles.length - predictor.historyCandles - 1))
  const last = basis.ts[basis.length - 1]!
  return kept.get(`${model.version}/${model.hash}/${symbol}/${timeframe}/${last}`, basis, () =>
    forecastLast(basis, { symbol, timeframe }, model),
  )
}

async function forecastLast(candles: Candles, { symbol, timeframe }: SeriesName, model: OpenModel): Promise<Forecast> {
  const { predictor } = model
  const { lookback, signalHorizon: horizon, climatology } = predictor.traits
  const { version, hash } = model
  const i = candles.length - 1
  const made = await predictor.predict(candles, { from: i, to: i + 1 })
  const pUp = made.pUp[0]!
  if (Number.isNaN(pUp)) {
    const needed = WARMUP_CANDLES + lookback
    const others = (predictor.traits.beside ?? []).map(
      (other) => ` and of ${other.symbol ?? symbol} ${other.timeframe}`,
    )
    throw new AppError(
      'too_few_candles',
      `${version} needs the last ${needed} candles of ${symbol} ${timeframe}${others.join('')} without long gaps; ${candles.length} are stored. Import or download more.`,
    )
  }
  const before = candles.close[i - horizon]!
  const said = saidAt(made, 0, candles.close[i]!)
  return {
    prediction: shownPrediction(
      { ...said, signal: signalOfDecision(said.signal), reasoning: reasonFor(made, i) },
      { ts: candles.ts[i]!, timeframe },
      { version, hash, costBps: made.roundTripCostBps, horizon },
    ),
    pUp,
    horizon,
    costBps: made.roundTripCostBps,
    fan: Array.from(made.quantilePrices),
    reversalUp: before === candles.close[i]! ? climatology >= 0.5 : before > candles.close[i]!,
    climatology,
  }
}
