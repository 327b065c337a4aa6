import { AppError } from '@shapecast/contracts/errors'
import type { Candles } from '@shapecast/engine/candles'
import { evaluateModel } from '../evaluate/evaluate-model.ts'
import { fitBaselines } from '../evaluate/fan.ts'
import type { Beside } from '../forecast/beside-series.ts'
import { candlesHash } from '../recipe/data-hash.ts'
import { prepareData } from '../recipe/prepare-data.ts'
import { candlesNeeded, DEFAULT_SETTINGS, MINIMUM_HOLDOUT_ROWS, QUANTILES } from '../recipe/settings.ts'
import { climatologyOf } from '../recipe/shrinkage.ts'
import { TooFewCandles } from '../recipe/too-few-candles.ts'
import { barrierLabels, judgeBarriers } from './barriers.ts'
import type { ForeignModel } from './foreign-model.ts'
import type { UploadCard } from './upload-card.ts'

export interface JudgeUploadInput {
  model: ForeignModel
  /** The newest of the series; the hold-out is their last 400. */
  candles: Candles
  /** Of the other series that its card names. */
  beside?: Beside
  onnx: { bytes: number; sha256: string }
  source: { venue: string; symbol: string }
  roundTripCostBps: number
  createdAtMs: number
}

/** What a file calls its maker, as one short line. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 60)

/**
 * Runs an upload over the newest 400 candles and judges it as `trainModel` judges ours: the same rows, outcomes, baselines
 * and figures. Throws TooFewCandles, and `unprocessable` where it gives too few numbers or takes too long.
 */
export async function judgeUpload(input: JudgeUploadInput): Promise<UploadCard> {
  const { model, candles, source, roundTripCostBps } = input
  const { card: declared, info } = model
  const { lookback, signalHorizon, timeframe } = declared
  const settings = { ...DEFAULT_SETTINGS, lookback, signalHorizon }
  const need = candlesNeeded(settings)
  if (candles.length < need)
    throw new TooFewCandles(
      candles.length,
      need,
      'An upload is judged on as many as a training needs. Import or download more.',
    )
  const { outcomes, split, table, up } = prepareData(candles, timeframe, settings)
  const rows = split.holdout
  const from = rows[0]!
  const predictions = await model.predict(candles, { from, to: candles.length }, input.beside)
  const known = rows.filter((i) => !Number.isNaN(predictions.pUp[i - from]!))
  if (known.length < MINIMUM_HOLDOUT_ROWS)
    throw new AppError(
      'unprocessable',
      `This ONNX file cannot be used: it gives finite numbers at ${known.length} of the ${rows.length} newest candles of ${source.symbol} ${timeframe}, and ${MINIMUM_HOLDOUT_ROWS} are needed.`,
      { field: 'onnx' },
    )
  const before = Int32Array.from([...split.train, ...split.validation])
  const climatology = climatologyOf(up, before)
  const barrier = declared.tripleBarrier
  const pUp = [...known].map((i) => predictions.pUp[i - from]!)
  return {
    ...(barrier && {
      barriers: judgeBarriers(barrierLabels(candles, table, barrier), barrier, { rows: known, pUp, before }),
    }),
    format: 'shapecast-upload',
    formatVersion: 1,
    createdAtMs: input.createdAtMs,
    source: { ...source, timeframe },
    declared,
    file: {
      ...input.onnx,
      opset: info.opsets[''] ?? info.opsets['ai.onnx.ml'] ?? 0,
      producer: plain(info.producer),
      nodes: info.nodes,
    },
    data: {
      candles: candles.length,
      from: candles.ts[0]!,
      to: candles.ts[candles.length - 1]!,
      hash: candlesHash(candles),
    },
    holdout: { from: candles.ts[known[0]!]!, to: candles.ts[known[known.length - 1]!]!, rows: known.length },
    climatology,
    roundTripCostBps,
    evaluation: evaluateModel({
      candles,
      predictions,
      rows: known,
      returns: outcomes.returns,
      signalHorizon,
      climatology,
      majorityRises: climatology >= 0.5,
      baselines: fitBaselines(outcomes.returns, table.sigma, before, QUANTILES),
      roundTripCostBps,
    }),
  }
}
