import type { Evaluation } from '@shapecast/contracts/evaluation'
import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelArtifactFile } from '../artifact/artifact.ts'
import type { Judgement } from '../forecast/model-parts.ts'
import { candlesHash } from '../recipe/data-hash.ts'
import { packScores, type ScoreTable } from '../recipe/scores.ts'
import { QUANTILES } from '../recipe/settings.ts'
import { RUNTIME_VERSION } from '../runtime/onnx-runtime.ts'
import type { TrainedParts } from './trained-parts.ts'

/** Changes whenever the same candles and settings could give another model; stored with every model. */
export const ML_VERSION = '1.0.0'

export interface FinishedTraining extends TrainedParts {
  candles: Candles
  source: { venue: string; symbol: string }
  createdAtMs: number
  judgement: Judgement
  /** Of the newest candles, for the fans to come. */
  scores: ScoreTable
  conformalWindow: number
  evaluation: Evaluation
}

const CONFORMAL_FILE = 'conformal-scores.f64'

/** The card and the files of a finished training. */
export function assembleArtifact(training: FinishedTraining): ModelArtifactFile {
  const { candles, timeframe, data, volatility, networks, judgement, scores } = training
  const { split, table, standardisation } = data
  const range = (rows: Int32Array) => ({
    from: candles.ts[rows[0]!]!,
    to: candles.ts[rows[rows.length - 1]!]!,
    rows: rows.length,
  })
  const trained = Object.entries(networks)
  return {
    card: {
      format: 'shapecast-model',
      formatVersion: 1,
      createdAtMs: training.createdAtMs,
      engine: { ml: ML_VERSION, onnxRuntime: RUNTIME_VERSION },
      source: { ...training.source, timeframe },
      settings: training.settings,
      horizons: HORIZONS,
      quantiles: [...QUANTILES],
      data: {
        candles: candles.length,
        from: candles.ts[0]!,
        to: candles.ts[candles.length - 1]!,
        gaps: table.continuity.gaps,
        missingCandles: table.continuity.missingCandles,
        hash: candlesHash(candles),
      },
      ranges: { train: range(split.train), validation: range(split.validation), holdout: range(split.holdout) },
      features: { names: table.names, ...standardisation },
      har: {
        inputs: { names: table.harNames, ...volatility.har.standardisation },
        horizons: volatility.har.horizons,
        residualQuantiles: volatility.residualQuantiles,
      },
      logistic: training.logistic,
      networks: Object.fromEntries(
        trained.map(([name, { bestEpoch, history }]) => [name, { file: `${name}.onnx`, bestEpoch, history }]),
      ),
      calibration: judgement.calibration,
      conformal: { file: CONFORMAL_FILE, window: training.conformalWindow, rows: scores.ts.length },
      signal: { threshold: judgement.threshold, roundTripCostBps: judgement.roundTripCostBps },
      evaluation: training.evaluation,
    },
    files: {
      ...Object.fromEntries(
        trained.flatMap(([name, { onnx, state }]) => [
          [`${name}.onnx`, onnx],
          [`${name}.state`, state],
        ]),
      ),
      [CONFORMAL_FILE]: packScores(scores),
    },
  }
}
