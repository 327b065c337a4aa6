import { AppError } from '@shapecast/contracts/errors'
import type { OptimiserState } from './stepper.ts'

/** Where a training run stands between two epochs. */
export interface TrainingState {
  /** What the run is of; a state resumes only the same. */
  job: TrainingJob
  /** Epochs done. */
  epoch: number
  history: { trainLoss: number; validationLoss: number }[]
  /** Counted from 1; 0 before the first epoch. */
  bestEpoch: number
  bestWeights: Float32Array
  optimiser: OptimiserState
}

/** The settings that decide which numbers come out, apart from the data. */
export type TrainingJob = Record<string, number | string | readonly number[]>

const FORMAT = 1

/** A state as bytes: the length of a JSON header (32 bits, little endian), the header, then the vectors as float32. */
export function packState(state: TrainingState): Uint8Array {
  const { job, epoch, history, bestEpoch, bestWeights, optimiser } = state
  const header = { format: FORMAT, job, epoch, history, bestEpoch, steps: optimiser.steps, weights: bestWeights.length }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const vectors = [bestWeights, optimiser.weights, optimiser.first, optimiser.second]
  const bytes = new Uint8Array(4 + text.length + 4 * 4 * bestWeights.length)
  new DataView(bytes.buffer).setUint32(0, text.length, true)
  bytes.set(text, 4)
  let at = 4 + text.length
  for (const vector of vectors) {
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), at)
    at += vector.byteLength
  }
  return bytes
}

/** The state that `packState` made. Throws `conflict` where it is of another job, `unprocessable` where it is damaged. */
export function unpackState(bytes: Uint8Array, job: TrainingJob): TrainingState {
  const { header, body } = readHeader(bytes)
  if (JSON.stringify(header.job) !== JSON.stringify(job)) {
    throw new AppError('conflict', 'This training state is of other settings or other rows. Train from the start.')
  }
  const vector = (index: number) => {
    const size = 4 * header.weights
    return new Float32Array(new Uint8Array(body.subarray(index * size, (index + 1) * size)).buffer)
  }
  return {
    job,
    epoch: header.epoch,
    history: header.history,
    bestEpoch: header.bestEpoch,
    bestWeights: vector(0),
    optimiser: { weights: vector(1), first: vector(2), second: vector(3), steps: header.steps },
  }
}

interface Header {
  format: number
  job: TrainingJob
  epoch: number
  history: TrainingState['history']
  bestEpoch: number
  steps: number
  weights: number
}

function readHeader(bytes: Uint8Array): { header: Header; body: Uint8Array } {
  const damaged = (cause?: unknown) =>
    new AppError('unprocessable', 'The training state cannot be read. Train from the start.', { cause })
  if (bytes.length < 4) throw damaged()
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  let header: Header
  try {
    header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, end)))
  } catch (cause) {
    throw damaged(cause)
  }
  const body = bytes.subarray(end)
  if (header.format !== FORMAT || body.length !== 4 * 4 * header.weights) throw damaged()
  return { header, body }
}
