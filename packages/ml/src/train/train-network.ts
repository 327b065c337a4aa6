import { AppError } from '@shapecast/contracts/errors'
import { createRandom } from '@shapecast/engine/random'
import { exportNetwork } from '../networks/export-network.ts'
import { buildNetwork } from '../networks/families.ts'
import { startingValues } from '../networks/parameters.ts'
import { maskWidth, type Network, networkParameters } from '../networks/training-graph.ts'
import { type RuntimeTensor, tensorOf } from '../runtime/onnx-runtime.ts'
import { checkRows, gatherWindows } from '../runtime/windows.ts'
import type { NetworkTraining, TrainedNetwork } from './network-training.ts'
import { freshState, openStepper, type Stepper } from './stepper.ts'
import { packState, type TrainingJob, type TrainingState, unpackState } from './training-state.ts'
import { openValidation } from './validation.ts'

/** Everything random in one epoch, from the seed and the epoch alone, so that a resumed run draws the same. */
interface EpochPlan {
  /** The rows to train on, shuffled. */
  rows: Int32Array
  /** Fills dropout factors: 0 for a dropped unit, 1 / (1 − dropout) for a kept one. */
  fillMasks(into: Float32Array): void
}

/** The plan of one epoch, counted from 1. Rows are shuffled by Fisher and Yates (Knuth, TAOCP 3.4.2, algorithm P). */
export function planEpoch(trainRows: Int32Array, seed: number, epoch: number, dropout: number): EpochPlan {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + epoch)
  const rows = trainRows.slice()
  for (let i = rows.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const row = rows[i]!
    rows[i] = rows[j]!
    rows[j] = row
  }
  // One draw of 32 bits decides over four units, eight bits each: the rate is exact to 1/256.
  const threshold = Math.round(dropout * 256)
  const kept = 256 / (256 - threshold)
  return {
    rows,
    fillMasks(into) {
      for (let i = 0; i < into.length; i += 4) {
        let bits = Math.floor(random.next() * 4_294_967_296)
        for (let k = i; k < i + 4 && k < into.length; k++) {
          into[k] = (bits & 255) < threshold ? 0 : kept
          bits >>>= 8
        }
      }
    },
  }
}

/** The inputs of a training step, in arrays that every batch reuses. */
interface BatchFeeds {
  /** Batch k of an epoch: its windows, targets and dropout masks. Overwritten by the next call. */
  fill(plan: EpochPlan, k: number): Record<string, RuntimeTensor>
}

/** The feeds of a training step over reused arrays: those of one batch are gone once the next is filled. */
function batchFeeds(network: Network, training: NetworkTraining): BatchFeeds {
  const { shape, batch } = training
  const table = { features: training.features, featureCount: shape.features }
  const windows = new Float32Array(batch * shape.lookback * shape.features)
  const targets = new Float32Array(batch * shape.horizons)
  const up = new Float32Array(batch)
  const masks = new Float32Array(batch * maskWidth(network))
  const feeds = {
    x: tensorOf(windows, [batch, shape.lookback, shape.features]),
    targets: tensorOf(targets, [batch, shape.horizons]),
    up: tensorOf(up, [batch, 1]),
  }
  const withMasks = { ...feeds, masks: tensorOf(masks, [batch, maskWidth(network)]) }
  return {
    fill(plan, k) {
      gatherWindows(table, shape.lookback, plan.rows, k * batch, windows)
      for (let i = 0; i < batch; i++) {
        const row = plan.rows[k * batch + i]!
        up[i] = training.up[row]!
        targets.set(training.targets.subarray(row * shape.horizons, (row + 1) * shape.horizons), i * shape.horizons)
      }
      if (training.dropout === 0) return feeds
      plan.fillMasks(masks)
      return withMasks
    },
  }
}

/**
 * Throws AppError `too_few_candles` if there is no full batch to train on or nothing to validate with, and a
 * RangeError where arrays, rows or settings do not fit together.
 */
function checkTraining(training: NetworkTraining): void {
  const { shape, features, targets, up, trainRows, validationRows, batch, dropout } = training
  const rows = features.length / shape.features
  const expect = (holds: boolean, text: string) => {
    if (!holds) throw new RangeError(text)
  }
  expect(Number.isInteger(rows), `${features.length} feature values do not divide into rows of ${shape.features}.`)
  expect(targets.length === rows * shape.horizons, `${targets.length} targets for ${rows} rows of ${shape.horizons}.`)
  expect(up.length === rows, `${up.length} up labels for ${rows} rows.`)
  expect(Number.isInteger(batch) && batch > 0, `A batch holds at least one window, not ${batch}.`)
  expect(dropout >= 0 && dropout < 1, `Dropout lies in [0, 1), not at ${dropout}.`)
  if (trainRows.length < batch || validationRows.length === 0) {
    throw new AppError(
      'too_few_candles',
      `Training has ${trainRows.length} windows to learn from and ${validationRows.length} to validate with; it needs ` +
        `at least ${batch} and 1. Choose a longer range.`,
    )
  }
  const table = { features, featureCount: shape.features }
  checkRows(table, shape.lookback, trainRows)
  checkRows(table, shape.lookback, validationRows)
}

const ADAM_EPSILON = 1e-8

/**
 * Trains one network: shuffled batches of fixed size (a last partial one is left out), Adam with decoupled weight decay,
 * dropout, and after each epoch the loss of the validation rows. Stops when that has not improved for `patience` epochs
 * and gives back the weights of the best one. The same input gives the same bits, whether in one go or resumed.
 *
 * Between steps the event loop turns and `signal` is heeded: its reason is thrown. Throws AppError `too_few_candles`
 * where the rows do not fill a batch, `unprocessable` where the loss is no longer a number, and `conflict` where
 * `resume` is of another job; a RangeError where arrays or rows do not fit together.
 */
export async function trainNetwork(training: NetworkTraining): Promise<TrainedNetwork> {
  checkTraining(training)
  const { shape, batch, dropout, learningRate, weightDecay, seed, epochs, patience, signal } = training
  const network = buildNetwork(shape)
  const job = jobOf(training)
  const state = training.resume ? unpackState(training.resume, job) : startingState(network, job, seed)
  const data = { ...training, rows: training.validationRows }
  const settings = { batch, dropout: dropout > 0, learningRate, weightDecay, epsilon: ADAM_EPSILON }
  const stepper = await openStepper(network, settings, state.optimiser)
  try {
    const validation = await openValidation(network, shape, data)
    try {
      const feeds = batchFeeds(network, training)
      while (state.epoch < epochs && state.epoch - state.bestEpoch < patience) {
        const started = performance.now()
        const trainLoss = await trainEpoch(training, stepper, feeds, state.epoch + 1)
        const validationLoss = await validation.loss(stepper.weights(), signal)
        if (!Number.isFinite(trainLoss + validationLoss)) {
          throw new AppError(
            'unprocessable',
            'Training diverged: the loss is no longer a number. Lower the learning rate.',
          )
        }
        state.epoch++
        const best = state.bestEpoch === 0 || validationLoss < state.history[state.bestEpoch - 1]!.validationLoss
        state.history.push({ trainLoss, validationLoss })
        state.optimiser = stepper.state()
        if (best) Object.assign(state, { bestEpoch: state.epoch, bestWeights: state.optimiser.weights })
        const seconds = (performance.now() - started) / 1000
        const report = { epoch: state.epoch, epochs, trainLoss, validationLoss, best, seconds }
        await training.onEpoch?.({ ...report, state: () => packState(state) })
      }
    } finally {
      await validation.close()
    }
  } finally {
    await stepper.close()
  }
  const { history, bestEpoch, bestWeights } = state
  return { onnx: exportNetwork(shape, bestWeights), state: packState(state), history, bestEpoch }
}

async function trainEpoch(training: NetworkTraining, stepper: Stepper, feeds: BatchFeeds, epoch: number) {
  const plan = planEpoch(training.trainRows, training.seed, epoch, training.dropout)
  const batches = Math.floor(plan.rows.length / training.batch)
  let total = 0
  for (let k = 0; k < batches; k++) {
    training.signal?.throwIfAborted()
    total += await stepper.step(feeds.fill(plan, k))
  }
  return total / batches
}

function startingState(network: Network, job: TrainingJob, seed: number): TrainingState {
  const weights = startingValues(networkParameters(network), createRandom(seed))
  return { job, epoch: 0, history: [], bestEpoch: 0, bestWeights: weights, optimiser: freshState(weights) }
}

function jobOf(training: NetworkTraining): TrainingJob {
  const { shape, batch, learningRate, dropout, weightDecay, seed, trainRows, validationRows } = training
  const rows = { trainRows: trainRows.length, validationRows: validationRows.length }
  return { ...shape, batch, learningRate, dropout, weightDecay, seed, ...rows }
}
