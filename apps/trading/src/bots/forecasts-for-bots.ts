import { AppError } from '@shapecast/contracts/errors'
import { modelVolatility } from '@shapecast/engine/policies/measures'
import type { PredictionService } from '../forecasts/prediction-service.ts'
import type { ForecastSource } from './decision-answers.ts'

/** Of a fan, from 5 to 95 %. */
const QUANTILES = 5
const MEDIAN = 2

/** What trained models say at a close, as bots ask for it. */
export function forecastsForBots(forecast: PredictionService['forecast']): ForecastSource {
  return async (model, symbol, timeframe, candleTs) => {
    const { version } = model
    const made = await forecast({ symbol, timeframe, version, pinned: model, toMs: candleTs })
    const { prediction, pUp, costBps, fan } = made
    if (prediction.timestamp !== candleTs)
      throw new AppError(
        'no_candles',
        `The candle of ${symbol} ${timeframe} that ${version} would forecast from is not there.`,
      )
    const { signal, confidence, edgeBps } = prediction
    const [low, high] = [fan.at(-QUANTILES)!, fan.at(-1)!]
    const medians = Array.from({ length: fan.length / QUANTILES }, (_, h) => fan[h * QUANTILES + MEDIAN]!)
    const volatility = modelVolatility(low, high, fan.length / QUANTILES, timeframe)
    const said = { version, signal, confidence, pUp, edgeBps, costBps, volatility, medians, reasoning: null }
    return { forecast: said, prediction }
  }
}
