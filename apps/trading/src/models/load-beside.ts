import type { BesideSeries } from '@shapecast/contracts/foreign-card'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { type Beside, besideKey } from '@shapecast/ml/forecast/beside-series'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import { besideRange } from '@shapecast/ml/foreign/beside'
import type { CandleSource } from '../market/series-market.ts'

/** Candles of other series that forecasts of a coin's candles rest on. Throws `unknown_symbol`. */
export async function loadBeside(
  source: CandleSource,
  { symbol, timeframe }: { symbol: string; timeframe: Timeframe },
  others: readonly BesideSeries[],
  candles: Candles,
): Promise<Beside> {
  const loaded = others.map(async (other) => {
    const found = await source.load(other.symbol ?? symbol, other.timeframe, besideRange(candles, timeframe, other))
    return [besideKey(other), found] as const
  })
  return Object.fromEntries(await Promise.all(loaded))
}

/** A predictor of a coin that looks up by itself what it needs of other series. */
export function withBeside(predictor: ModelPredictor, source: CandleSource, symbol: string): ModelPredictor {
  const { beside: others = [], timeframe } = predictor.traits
  if (others.length === 0) return predictor
  return {
    ...predictor,
    predict: async (candles, range) =>
      predictor.predict(candles, range, await loadBeside(source, { symbol, timeframe }, others, candles)),
  }
}
