import { AppError } from '@shapecast/contracts/errors'
import { modelVolatility } from '@shapecast/engine/policies/measures'
import type { ForecastSource } from './features/bots/decision-round.ts'
import type { PredictionService } from './features/predictions/prediction-service.ts'

/** Of a fan, from 5 to 95 %. */
const QUANTILES = 5

/** What models say at a close, as bots ask for it: of the current version where none is named. */
export function forecastsForBots(deps: {
  currentOn(symbol: string, timeframe: string): Promise<string>
  forecast: PredictionService['forecast']
}): ForecastSource {
  return async (version, symbol, timeframe, candleTs) => {
    const named = version ?? (await deps.currentOn(symbol, timeframe))
    const made = await deps.forecast({ symbol, timeframe, version: named, toMs: candleTs })
    const { prediction, pUp, costBps, fan } = made
    if (prediction.timestamp !== candleTs)
      throw new AppError(
        'no_candles',
        `The candle of ${symbol} ${timeframe} that ${named} would forecast from is not there.`,
      )
    const { signal, confidence, edgeBps } = prediction
    const [low, high] = [fan.at(-QUANTILES)!, fan.at(-1)!]
    const volatility = modelVolatility(low, high, fan.length / QUANTILES, timeframe)
    const forecast = { version: named, signal, confidence, pUp, edgeBps, costBps, volatility, reasoning: null }
    return { forecast, prediction }
  }
}
