import type { Timeframe } from '@shapecast/contracts/timeframes'
import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { Candles } from '@shapecast/engine/candles'
import { artifactHash, type ModelArtifactFile } from './artifact/artifact.ts'
import { scoredCandles } from './forecast/predict-range.ts'
import { CONFORMAL_WINDOW } from './recipe/correct-fan.ts'
import { fitLogistic } from './recipe/logistic-regression.ts'
import { fitVolatility, prepareData } from './recipe/prepare-data.ts'
import { sliceScores } from './recipe/scores.ts'
import { type GivenSettings, settingsFor } from './recipe/settings.ts'
import { assembleArtifact } from './train/assemble-artifact.ts'
import { calibrateParts, evaluateParts } from './train/judge-parts.ts'
import { createProgressMeter, type TrainProgress } from './train/progress-meter.ts'
import { type TrainCheckpoint, trainNetworks } from './train/train-networks.ts'
import { type TrainedParts, withTrainedParts } from './train/trained-parts.ts'

export interface TrainModelInput {
  candles: Candles
  timeframe: Timeframe
  settings: GivenSettings
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

/**
 * Trains every part of a model on candles, judges it on the newest 400 and returns its artifact: volatility (HAR), logistic
 * regression, both networks, then calibration and conformal correction. The same candles and settings give the same hash.
 * Throws TooFewCandles, and the signal's reason where it is aborted.
 */
export async function trainModel(input: TrainModelInput): Promise<TrainedModel> {
  const { candles, timeframe, signal } = input
  const settings = settingsFor(timeframe, input.settings)
  const meter = createProgressMeter(settings.epochs, input.onProgress?.bind(input), input.now?.bind(input))
  const begin = async (phase: TrainProgress['phase']): Promise<void> => {
    // A turn of the event loop, so that an abort or a heartbeat gets through between two phases.
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
    meter.begin(phase)
  }

  await begin('features')
  const data = prepareData(candles, timeframe, settings)
  await begin('volatility')
  const volatility = fitVolatility(data, settings.harAlpha)
  await begin('logistic')
  const { table, split, matrix, up } = data
  const logistic = fitLogistic(matrix, table.features.length, split.train, up, settings.logisticC)
  await begin('networks')
  const networks = await trainNetworks({
    data,
    volatility,
    settings,
    meter,
    signal,
    resume: input.resume ?? {},
    onCheckpoint: input.onCheckpoint?.bind(input),
  })

  const trained: TrainedParts = { timeframe, settings, data, volatility, logistic, networks }
  return withTrainedParts(trained, async (parts) => {
    const judged = { candles, settings, data, volatility, roundTripCostBps: input.roundTripCostBps }
    await begin('calibration')
    const calibrated = await calibrateParts(parts, judged)
    await begin('evaluation')
    const evaluation = evaluateParts(parts, judged, calibrated)
    await begin('packing')
    const { judgement, scores } = calibrated
    const artifact = assembleArtifact({
      ...trained,
      candles,
      source: input.source,
      createdAtMs: input.createdAtMs,
      judgement,
      scores: sliceScores(scores, Math.max(0, scores.ts.length - scoredCandles(HORIZONS)), scores.ts.length),
      conformalWindow: CONFORMAL_WINDOW,
      evaluation,
    })
    return { artifact, hash: artifactHash(artifact) }
  })
}
