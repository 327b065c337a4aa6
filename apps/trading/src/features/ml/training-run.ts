import { AppError } from '@shapecast/contracts/errors'
import type { TrainingJob } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { TrainProgress } from '@shapecast/ml/train-model'
import type { Logger } from '@shapecast/platform/logging'
import type { NewArtifact } from './model-store.ts'
import type { SeriesCandles } from './series-candles.ts'
import type { TrainArtifactInput } from './train-artifact.ts'
import { requestOf, type TrainingStore } from './training-store.ts'

const REPORT_EVERY_MS = 500

export interface TrainingRunDeps {
  store: TrainingStore
  candles: SeriesCandles
  /** `trainArtifact`, as a plug. */
  train(input: TrainArtifactInput): Promise<NewArtifact>
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
 * Carries out one queued training from its start; one that a dead worker left behind starts over on the same
 * candles. It ends as completed, failed with a text, or cancelled. Where `signal` fires because this process stops,
 * the row is left as it is and the error thrown on, so that the queue hands the job to another worker.
 */
export async function runTraining(deps: TrainingRunDeps, id: string, signal: AbortSignal): Promise<void> {
  const { store, candles, train, log, now } = deps
  const row = await store.begin(id)
  if (row === undefined) return
  const request = requestOf(row)
  const cancelled = new AbortController()
  let latest = row.progress
  let writing = Promise.resolve()
  let busy = false
  const report = async () => {
    if (busy) return
    busy = true
    try {
      if (!(await store.report(id, latest))) cancelled.abort()
    } catch (error) {
      log.error({ err: error, training: id }, 'progress could not be written')
    } finally {
      busy = false
    }
  }
  const timer = setInterval(() => {
    writing = report()
  }, REPORT_EVERY_MS)

  try {
    const series = { venue: request.venue, symbol: request.symbol, timeframe: request.timeframe }
    const range = { fromMs: request.fromMs, toMs: request.toMs }
    const artifact = await train({
      series,
      version: request.version,
      candles: await candles.load(request.symbol, request.timeframe as Timeframe, range),
      params: request.params,
      createdAtMs: now(),
      onProgress: (progress) => {
        latest = shown(progress)
      },
      signal: AbortSignal.any([signal, cancelled.signal]),
      now,
    })
    clearInterval(timer)
    await writing
    await store.report(id, latest)
    await store.complete(id, artifact, now())
  } catch (error) {
    if (cancelled.signal.aborted) return
    if (signal.aborted) throw error
    const expected = error instanceof AppError
    if (!expected) log.error({ err: error, training: id }, 'a training failed')
    const text = expected ? error.message : 'The training failed by an error of the program. Its log has the details.'
    await store.end(id, 'failed', text, now())
  } finally {
    clearInterval(timer)
    await writing
  }
}
