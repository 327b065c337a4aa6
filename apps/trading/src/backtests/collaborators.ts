import type { Health, Market } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'

/** What this room needs of the market: stored candles and the rules of trading a symbol. */
export interface BacktestMarket {
  readonly venue: string
  readonly kind: Health['market']
  /**
   * The newest `limit` candles, of those that opened in [fromMs, toMs], oldest first; empty where none are stored.
   * Throws `unknown_symbol` where the venue has no such market.
   */
  load(
    symbol: string,
    timeframe: Timeframe,
    range: { fromMs?: number | undefined; toMs?: number | undefined; limit?: number | undefined },
  ): Promise<Candles>
  /** Lot and smallest notional; null where the venue does not say. */
  rules(symbol: string): Promise<Pick<Market, 'lotSize' | 'minNotional'> | null>
}

/** What this room needs of the models. */
export interface BacktestModels {
  /** The version that trades a series where none is named. Throws `model_not_trained` where none in production can. */
  currentOn(symbol: string, timeframe: string): Promise<string>
  /** Throws `not_found` where there is no such version. */
  requireVersion(version: string): Promise<void>
  /** Throws `model_not_trained` where the version has no artifact on the series. */
  require(version: string, symbol: string, timeframe: string): Promise<void>
  /** The newest artifact of a version on a series. Throws `model_not_trained` where there is none. */
  find(version: string, symbol: string, timeframe: string): Promise<{ artifactId: string; hash: string }>
  /** Lends the newest artifact of a version on a series. */
  use<R>(
    version: string,
    symbol: string,
    timeframe: string,
    use: (model: { artifactId: string; hash: string; predictor: ModelPredictor }) => Promise<R>,
  ): Promise<R>
}
