import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { NetworkName } from '@shapecast/contracts/networks'
import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { TrainingData, VolatilityFit } from '../recipe/prepare-data.ts'
import { QUANTILES, type TrainSettings } from '../recipe/settings.ts'
import type { NetworkTraining, TrainedNetwork } from './network-training.ts'
import type { ProgressMeter } from './progress-meter.ts'
import { trainNetwork } from './train-network.ts'
import { trainNetworkApart } from './train-network-apart.ts'

const stampOf = (features: readonly string[]): Buffer => createHash('sha256').update(features.join('\n')).digest()

/**
 * A network's state marked with the features that it learns from, as two choices of the same number make networks of the
 * same shape. Left as it is where `features` is undefined: all of them.
 */
function stampState(state: Uint8Array, features: readonly string[] | undefined): Uint8Array {
  if (features === undefined) return state
  const stamp = stampOf(features)
  const stamped = new Uint8Array(stamp.length + state.length)
  stamped.set(stamp)
  stamped.set(state, stamp.length)
  return stamped
}

/** The state that was marked. Throws `conflict` where it is of other features. */
function unstampState(stamped: Uint8Array, features: readonly string[] | undefined): Uint8Array {
  if (features === undefined) return stamped
  const stamp = stampOf(features)
  if (!stamp.equals(stamped.subarray(0, stamp.length)))
    throw new AppError('conflict', 'This training state is of other features. Train from the start.')
  return stamped.slice(stamp.length)
}

/** Where an interrupted training can go on: the networks' states after whole epochs. */
export type TrainCheckpoint = { [name in NetworkName]?: Uint8Array }

export interface NetworkJob {
  data: TrainingData
  volatility: VolatilityFit
  settings: TrainSettings
  meter: ProgressMeter
  signal: AbortSignal | undefined
  resume: TrainCheckpoint
  onCheckpoint: ((checkpoint: TrainCheckpoint) => void | Promise<void>) | undefined
}

/** From one network's seed to the next's: another stream of random numbers. */
const SEED_STEP = 0x51ed27

/** Windows of a whole training from which a thread of its own, which takes a fifth of a second to start, is worth it. */
const WORTH_A_THREAD = 20_000

/**
 * Trains all networks at once; where one fails the others are stopped. Each has a thread of its own where there is enough to
 * do, so that a worker that trains takes backtests meanwhile: the bytes that come out are the same.
 */
export async function trainNetworks(job: NetworkJob): Promise<Record<NetworkName, TrainedNetwork>> {
  const { data, volatility, settings, meter } = job
  const stop = new AbortController()
  const signal = job.signal === undefined ? stop.signal : AbortSignal.any([job.signal, stop.signal])
  const checkpoint: TrainCheckpoint = { ...job.resume }

  const train = async (kind: NetworkName, index: number): Promise<[NetworkName, TrainedNetwork]> => {
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
      seed: (settings.seed + index * SEED_STEP) % 2 ** 31,
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
    return [kind, trained]
  }
  const trainings = NetworkName.options.map(train)
  try {
    return Object.fromEntries(await Promise.all(trainings)) as Record<NetworkName, TrainedNetwork>
  } catch (error) {
    stop.abort()
    await Promise.allSettled(trainings)
    throw error
  }
}
