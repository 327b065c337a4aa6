import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { artifactHash, type ModelArtifactFile } from './artifact.ts'
import { calibrate, climatologyOf, fitShrinkage } from './calibrate/shrinkage.ts'
import { CONFORMAL_WINDOW, staticCorrections } from './conformal/correct-fan.ts'
import { sliceScores } from './conformal/scores.ts'
import { evaluateModel } from './evaluate/evaluate-model.ts'
import { fitBaselines } from './evaluate/fan.ts'
import { finishForecast, rangeCorrections, scoreForecast } from './forecast/finish-forecast.ts'
import type { Judgement, ModelParts } from './forecast/model-parts.ts'
import { scoredCandles } from './forecast/predict-range.ts'
import { forecastRaw } from './forecast/raw-forecast.ts'
import { fitLogistic } from './logistic/logistic-regression.ts'
import { openNetwork } from './runtime/run-network.ts'
import { type GivenSettings, HORIZONS, QUANTILES, settingsFor } from './settings.ts'
import { confidentThreshold } from './signal/decide-signal.ts'
import { assembleArtifact } from './train/assemble-artifact.ts'
import { fitVolatility, prepareData } from './train/prepare-data.ts'
import { createProgressMeter, type TrainProgress } from './train/progress-meter.ts'
import { type TrainCheckpoint, trainNetworks } from './train/train-networks.ts'

export { candlesNeeded, DEFAULT_SETTINGS, type GivenSettings, type TrainSettings } from './settings.ts'
export type { TrainPhase, TrainProgress } from './train/progress-meter.ts'
export { TooFewCandles } from './train/too-few-candles.ts'
export type { TrainCheckpoint } from './train/train-networks.ts'

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
  const { candles, timeframe, roundTripCostBps, signal } = input
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
  const { table, outcomes, split, matrix, up } = data
  await begin('volatility')
  const volatility = fitVolatility(data, settings.harAlpha)
  await begin('logistic')
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

  const [lstm, transformer] = [await openNetwork(networks.lstm.onnx), await openNetwork(networks.transformer.onnx)]
  try {
    const parts: ModelParts = {
      timeframe,
      lookback: settings.lookback,
      signalHorizon: settings.signalHorizon,
      horizons: HORIZONS,
      quantiles: QUANTILES,
      featureNames: table.names,
      features: data.standardisation,
      har: volatility.har,
      residualQuantiles: volatility.residualQuantiles,
      logistic,
      lstm,
      transformer,
    }
    await begin('calibration')
    const lastFitted = split.train[split.train.length - 1]!
    const raw = await forecastRaw(parts, table, matrix, volatility.sigma, lastFitted + 1, candles.length)
    const validation = Float64Array.from(split.validation, (i) => raw.pUp[i - raw.from]!)
    const before = Int32Array.from([...split.train, ...split.validation])
    const climatology = climatologyOf(up, before)
    const labels = Float32Array.from(split.validation, (i) => up[i]!)
    const calibration = fitShrinkage(validation, labels, climatology)
    const judgement: Judgement = {
      calibration,
      threshold: settings.signalThreshold ?? confidentThreshold(validation.map((p) => calibrate(calibration, p))),
      roundTripCostBps,
    }
    const fitted = { from: candles.ts[split.train[0]!]!, to: candles.ts[lastFitted]! }
    const scores = scoreForecast(raw, candles, outcomes.returns, fitted, QUANTILES.length)

    await begin('evaluation')
    const firstJudged = split.holdout[0]!
    const predictions = finishForecast({
      parts,
      judgement,
      candles,
      table,
      sigma: volatility.sigma,
      raw,
      corrections: rangeCorrections({
        timeframe,
        candles,
        scores,
        earlierScores: sliceScores(scores, 0, 0),
        fallback: staticCorrections(sliceScores(scores, 0, firstJudged - HORIZONS - raw.from), HORIZONS),
        from: firstJudged,
        to: candles.length,
      }),
      from: firstJudged,
    })
    const evaluation = evaluateModel({
      candles,
      predictions,
      rows: split.holdout,
      returns: outcomes.returns,
      signalHorizon: settings.signalHorizon,
      climatology,
      majorityRises: climatology >= 0.5,
      baselines: fitBaselines(outcomes.returns, table.sigma, before, QUANTILES),
      roundTripCostBps,
    })

    await begin('packing')
    const artifact = assembleArtifact({
      candles,
      timeframe,
      settings,
      source: input.source,
      createdAtMs: input.createdAtMs,
      data,
      volatility,
      logistic,
      networks,
      judgement,
      scores: sliceScores(scores, Math.max(0, scores.ts.length - scoredCandles(HORIZONS)), scores.ts.length),
      conformalWindow: CONFORMAL_WINDOW,
      evaluation,
    })
    return { artifact, hash: artifactHash(artifact) }
  } finally {
    await Promise.all([lstm.close(), transformer.close()])
  }
}
