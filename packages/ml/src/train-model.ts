import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from './artifact.ts'
import type { TrainSettings } from './settings.ts'

export { candlesNeeded, DEFAULT_SETTINGS, type TrainSettings } from './settings.ts'

export type TrainPhase = 'features' | 'volatility' | 'logistic' | 'networks' | 'calibration' | 'evaluation' | 'packing'

/** How far a training is. `current` of `total` counts steps of work, most of them epochs of the two networks. */
export interface TrainProgress {
  phase: TrainPhase
  current: number
  total: number
  /** The epoch that ended last, of either network; the losses are its. */
  epoch: number | null
  network: 'lstm' | 'transformer' | null
  trainLoss: number | null
  validationLoss: number | null
  /** An upper bound: every epoch is counted in, though training usually stops earlier. */
  secondsLeft: number | null
}

/** Where an interrupted training can go on: the networks' states after whole epochs. */
export interface TrainCheckpoint {
  lstm?: Uint8Array
  transformer?: Uint8Array
}

export interface TrainModelInput {
  candles: Candles
  timeframe: Timeframe
  settings: Partial<TrainSettings>
  /** Both fills of one trade, fees and slippage included. */
  roundTripCostBps: number
  createdAtMs: number
  source: { venue: string; symbol: string }
  onProgress?(progress: TrainProgress): void
  signal?: AbortSignal
  /** A clock in ms, only for `secondsLeft`; without it that stays null. */
  now?(): number
  /** Called after every epoch with what `resume` takes; the same candles and settings must be given then. */
  onCheckpoint?(checkpoint: TrainCheckpoint): void | Promise<void>
  resume?: TrainCheckpoint
}

export interface TrainedModel {
  artifact: ModelArtifactFile
  /** SHA-256 of the artifact, as `artifactHash` gives it. */
  hash: string
}

/** The candles do not suffice. The text says how many there are and how many are needed. */
export class TooFewCandles extends AppError {
  readonly have: number
  readonly need: number

  constructor(have: number, need: number, detail = '') {
    super(
      'too_few_candles',
      `Training needs at least ${need} candles and there are ${have}.${detail === '' ? ' Choose a longer range or a smaller timeframe.' : ` ${detail}`}`,
    )
    this.name = 'TooFewCandles'
    this.have = have
    this.need = need
  }
}

/** Trains every part of a model on candles, judges it on the newest 400 and returns its artifact. */
export async function trainModel(_input: TrainModelInput): Promise<TrainedModel> {
  throw new Error('Training is being built.')
}
