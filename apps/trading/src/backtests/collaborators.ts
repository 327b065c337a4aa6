import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'

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
