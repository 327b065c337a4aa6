import type { NetworkShape } from '../networks/shape.ts'

/** What one epoch of training came to. */
export interface EpochReport {
  /** Counted from 1. */
  epoch: number
  epochs: number
  trainLoss: number
  validationLoss: number
  /** This epoch has the lowest validation loss so far. */
  best: boolean
  /** Wall time of the epoch in seconds. */
  seconds: number
  /** Everything that `resume` needs to go on after this epoch. Costs a copy, so call it only to keep it. */
  state(): Uint8Array
}

export interface NetworkTraining {
  shape: NetworkShape
  /** Standardised features, row-major [rows × features]; the window that ends at row i is rows i−lookback+1 … i. */
  features: Float32Array
  /** Scaled returns, row-major [rows × horizons]. */
  targets: Float32Array
  /** 1 up, 0 not up, at the signal horizon, [rows]. */
  up: Float32Array
  trainRows: Int32Array
  validationRows: Int32Array
  epochs: number
  /** Epochs without a better validation loss before training stops. */
  patience: number
  batch: number
  learningRate: number
  /** Share of units dropped, in [0, 1). */
  dropout: number
  weightDecay: number
  seed: number
  onEpoch?(report: EpochReport): void | Promise<void>
  signal?: AbortSignal
  /** `state` of an earlier run of the same job: training goes on where that one stood. */
  resume?: Uint8Array
}

export interface TrainedNetwork {
  /** Inference file with a dynamic batch: x [b, lookback, features] → quantiles [b, horizons × quantiles], up_logit [b, 1]. */
  onnx: Uint8Array
  /** Weights, Adam moments, and where the loop stood, for `resume`. */
  state: Uint8Array
  history: { trainLoss: number; validationLoss: number }[]
  /** Counted from 1; the weights in `onnx` are those of this epoch. */
  bestEpoch: number
}
