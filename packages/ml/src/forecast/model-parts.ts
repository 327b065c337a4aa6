import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Standardisation } from '../features/standardise.ts'
import type { HarModel } from '../recipe/har-model.ts'
import type { LogisticModel } from '../recipe/logistic-regression.ts'
import type { Calibration } from '../recipe/shrinkage.ts'
import type { OpenNetworks } from '../runtime/run-network.ts'

/** The parts that forecast together, as training made them or as an artifact holds them. */
export interface ModelParts {
  timeframe: Timeframe
  lookback: number
  signalHorizon: number
  horizons: number
  quantiles: readonly number[]
  /** The features in the order of the networks' columns, and how each is standardised. */
  featureNames: readonly string[]
  features: Standardisation
  har: HarModel
  /** [horizons][quantiles] of scaled returns. */
  residualQuantiles: readonly (readonly number[])[]
  logistic: LogisticModel
  networks: OpenNetworks
}

/** How forecasts become probabilities and signals. */
export interface Judgement {
  calibration: Calibration
  /** Distance of P(up) from ½ that makes a signal. */
  threshold: number
  roundTripCostBps: number
}
