import type { FanCoverage, PredictionRow } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'

/** A trained version, ready to predict one series. */
export interface PredictingModel {
  readonly version: string
  readonly artifactId: string
  readonly hash: string
  readonly predictor: ModelPredictor
}

/** An artifact that speaks for its version, whether or not it is the active one. */
export interface PinnedArtifact {
  readonly artifactId: string
  readonly hash: string
}

/** What this room needs of the models. */
export interface ModelSource {
  /** The version that predicts a series where none is named. Throws `model_not_trained`. */
  currentOn(symbol: string, timeframe: string): Promise<string>
  /** Throws `not_found`. */
  requireVersion(version: string): Promise<void>
  /** Throws `model_not_trained`. */
  use<R>(
    version: string,
    symbol: string,
    timeframe: string,
    use: (model: PredictingModel) => Promise<R>,
    pinned?: PinnedArtifact,
  ): Promise<R>
}

/** What this room needs of the track record. */
export interface SealedSource {
  /** Sealed predictions of a version on a series whose candles opened in [fromTs, toTs]; without `trainedOn`. */
  rows(version: string, symbol: string, timeframe: Timeframe, fromTs: number, toTs: number): Promise<PredictionRow[]>
  coverage(version: string, symbol: string, timeframe: Timeframe): Promise<FanCoverage[]>
}
