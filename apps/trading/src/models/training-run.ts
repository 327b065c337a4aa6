import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { TrainingJob } from '@shapecast/contracts/trainings'
import type { TrainProgress } from '@shapecast/ml/train/progress-meter'
import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import type { Logger } from '@shapecast/platform/logging'
import { failureText } from '../ground/job-end.ts'
import { reportProgress } from '../ground/job-progress.ts'
import type { CandleSource } from '../market/series-market.ts'
import type { NewArtifact } from './artifact-rows.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import type { TrainArtifactInput } from './train-artifact.ts'
import { requestOf, type TrainingStore } from './training-store.ts'

const REPORT_EVERY_MS = 500

export interface TrainingRunDeps {
  store: Pick<TrainingStore, 'begin' | 'report' | 'complete' | 'end'>
  candles: CandleSource
  /** `trainArtifact`, as a plug. */
  train(input: TrainArtifactInput): Promise<NewArtifact>
  checkpoints: CheckpointStore
  /** Holds the new artifact against the one that predicts now; null where there is none. */
  judge(artifact: NewArtifact): Promise<ArtifactComparison | null>
  log: Logger
  now(): number
}

const shown = (progress: TrainProgress): TrainingJob['progress'] => ({
  current: progress.current,
  total: progress.total,
  phase: progress.network === null ? progress.phase : `${progress.phase}: ${progress.network}`,
  epoch: progress.epoch,
  trainLoss: progress.trainLoss,
  validationLoss: progress.validationLoss,
  secondsLeft: progress.secondsLeft,
})

/**
 * Trains, going on after the last whole epoch that a dead worker left. Where what it left is of other settings or of
 * another program version, it is thrown away and the training starts over.
 */
async function trainOn(deps: TrainingRunDeps, id: string, input: TrainArtifactInput): Promise<NewArtifact> {
  const { checkpoints, train, log } = deps
  const resume = await checkpoints.load(id)
  const kept: TrainCheckpoint = { ...resume }
  const onCheckpoint = async (checkpoint: TrainCheckpoint) => {
    for (const network of ['lstm', 'transformer'] as const) {
      const state = checkpoint[network]
      if (state === undefined || state === kept[network]) continue
      kept[network] = state
      await checkpoints.save(id, network, state)
    }
  }
  if (Object.keys(resume).length === 0) return train({ ...input, onCheckpoint })
  try {
    return await train({ ...input, onCheckpoint, resume })
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'unprocessable')) throw error
    log.warn({ err: error, training: id }, 'a training could not go on where it stood and starts over')
    await checkpoints.discard(id)
    return train({ ...input, onCheckpoint })
  }
}

/**
 * Carries out one queued training; one that a dead worker left behind goes on after its last whole epoch, on the same
 * candles and to the same result. It ends as completed, failed with a text, or cancelled. Where `signal` fires because
 * this process stops, or where the database cannot be reached, the row is left as it is and the error thrown on, so that
 * the queue hands the job to another worker.
 */
export async function runTraining(deps: TrainingRunDeps, id: string, signal: AbortSignal): Promise<void> {
  const { store, candles, checkpoints, judge, log, now } = deps
  const row = await store.begin(id)
  if (row === undefined) return
  const request = requestOf(row)
  let latest = row.progress
  const progress = reportProgress(
    () => store.report(id, latest),
    REPORT_EVERY_MS,
    (error) => log.warn({ err: error, training: id }, 'progress could not be written'),
  )
  const stopped = AbortSignal.any([signal, progress.cancelled])

  try {
    const series = { venue: request.venue, symbol: request.symbol, timeframe: request.timeframe }
    const range = { fromMs: request.fromMs, toMs: request.toMs }
    const artifact = await trainOn(deps, id, {
      series,
      version: request.version,
      candles: await candles.load(request.symbol, request.timeframe as Timeframe, range),
      params: request.params,
      createdAtMs: now(),
      onProgress: (made) => {
        latest = shown(made)
      },
      signal: stopped,
      now,
    })
    latest = { ...latest, phase: 'comparing', secondsLeft: null }
    await store.report(id, latest)
    const comparison = await judge(artifact)
    await store.complete(id, artifact, comparison, now())
  } catch (error) {
    if (progress.cancelled.aborted) {
      await checkpoints.discard(id)
      return
    }
    await store.end(id, 'failed', failureText(error, { what: 'training', id, signal, log }), now())
  } finally {
    await progress.stop()
  }
}
