import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { NetworkKind } from '../networks/shape.ts'
import type { TrainingData, VolatilityFit } from '../recipe/prepare-data.ts'
import { QUANTILES, type TrainSettings } from '../recipe/settings.ts'
import type { NetworkTraining, TrainedNetwork } from './network-training.ts'
import type { ProgressMeter } from './progress-meter.ts'
import { stampState, unstampState } from './stamp-state.ts'
import { trainNetwork } from './train-network.ts'
import { trainNetworkApart } from './train-network-apart.ts'

/** Where an interrupted training can go on: the networks' states after whole epochs. */
export interface TrainCheckpoint {
  lstm?: Uint8Array
  transformer?: Uint8Array
}

export interface NetworkJob {
  data: TrainingData
  volatility: VolatilityFit
  settings: TrainSettings
  meter: ProgressMeter
  signal: AbortSignal | undefined
  resume: TrainCheckpoint
  onCheckpoint: ((checkpoint: TrainCheckpoint) => void | Promise<void>) | undefined
}

/** The second network's seed: another stream than the first's. */
const SEED_STEP = 0x51ed27

/** Windows of a whole training from which a thread of its own, which takes a fifth of a second to start, is worth it. */
const WORTH_A_THREAD = 20_000

/**
 * Trains both networks at once; where one fails the other is stopped. Each has a thread of its own where there is enough to
 * do, so that a worker that trains takes backtests meanwhile: the bytes that come out are the same.
 */
export async function trainNetworks(job: NetworkJob): Promise<Record<NetworkKind, TrainedNetwork>> {
  const { data, volatility, settings, meter } = job
  const stop = new AbortController()
  const signal = job.signal === undefined ? stop.signal : AbortSignal.any([job.signal, stop.signal])
  const checkpoint: TrainCheckpoint = { ...job.resume }

  const train = async (kind: NetworkKind, seed: number): Promise<TrainedNetwork> => {
    const resume = job.resume[kind]
    const training: NetworkTraining = {
      shape: {
        kind,
        features: data.table.features.length,
        lookback: settings.lookback,
        hidden: settings.lstmHidden,
        width: settings.transformerWidth,
        heads: settings.transformerHeads,
        layers: settings.transformerLayers,
        horizons: HORIZONS,
        quantiles: QUANTILES,
      },
      features: data.matrix,
      targets: volatility.targets,
      up: data.up,
      trainRows: data.split.train,
      validationRows: data.split.validation,
      epochs: settings.epochs,
      patience: settings.patience,
      batch: settings.batch,
      learningRate: settings.learningRate,
      dropout: settings.dropout,
      weightDecay: settings.weightDecay,
      seed,
      signal,
      ...(resume === undefined ? {} : { resume: unstampState(resume, settings.features) }),
      async onEpoch(report) {
        meter.epochEnded(kind, report)
        if (job.onCheckpoint === undefined) return
        checkpoint[kind] = stampState(report.state(), settings.features)
        await job.onCheckpoint({ ...checkpoint })
      },
    }
    const trained =
      training.trainRows.length * training.epochs >= WORTH_A_THREAD
        ? await trainNetworkApart(training, job.onCheckpoint !== undefined)
        : await trainNetwork(training)
    meter.networkEnded(kind)
    return trained
  }
  const both = [train('lstm', settings.seed), train('transformer', (settings.seed + SEED_STEP) % 2 ** 31)]
  try {
    const [lstm, transformer] = await Promise.all(both)
    return { lstm: lstm!, transformer: transformer! }
  } catch (error) {
    stop.abort()
    await Promise.allSettled(both)
    throw error
  }
}
