import type { NetworkName } from '@shapecast/contracts/networks'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { ModelParts } from '../forecast/model-parts.ts'
import type { LogisticModel } from '../recipe/logistic-regression.ts'
import type { TrainingData, VolatilityFit } from '../recipe/prepare-data.ts'
import { QUANTILES, type TrainSettings } from '../recipe/settings.ts'
import { closeNetworks, openNetworks } from '../runtime/run-network.ts'
import type { TrainedNetwork } from './network-training.ts'

/** Everything that a training has fitted, and what it was fitted on. */
export interface TrainedParts {
  timeframe: Timeframe
  settings: TrainSettings
  data: TrainingData
  volatility: VolatilityFit
  logistic: LogisticModel
  networks: Record<NetworkName, TrainedNetwork>
}

/** Opens the trained parts as ones that forecast together, as long as `use` takes. */
export async function withTrainedParts<T>(trained: TrainedParts, use: (parts: ModelParts) => Promise<T>): Promise<T> {
  const { timeframe, settings, data, volatility, logistic, networks } = trained
  const opened = await openNetworks(Object.entries(networks).map(([name, { onnx }]) => [name, onnx]))
  try {
    return await use({
      timeframe,
      lookback: settings.lookback,
      signalHorizon: settings.signalHorizon,
      horizons: HORIZONS,
      quantiles: QUANTILES,
      featureNames: data.table.names,
      features: data.standardisation,
      har: volatility.har,
      residualQuantiles: volatility.residualQuantiles,
      logistic,
      networks: opened,
    })
  } finally {
    await closeNetworks(opened)
  }
}
