import { AppError } from '@shapecast/contracts/errors'
import type { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { besideOf } from '@shapecast/contracts/foreign-card'
import { sha256 } from '@shapecast/ml/artifact/packed-files'
import { learntFrom } from '@shapecast/ml/foreign/foreign-card'
import {
  type ForeignModel,
  openForeignModel,
  parseForeignCard,
  readForeignCard,
} from '@shapecast/ml/foreign/foreign-model'
import { judgeUpload } from '@shapecast/ml/foreign/judge-upload'
import { packForeignModel } from '@shapecast/ml/foreign/packed-foreign'
import { type SandboxLimits, tookText } from '@shapecast/ml/foreign/sandbox'
import type { UploadCard } from '@shapecast/ml/foreign/upload-card'
import type { VenueCandles } from '../../market/series-market.ts'
import type { NewArtifact } from '../artifact-rows.ts'
import { loadBeside } from '../load-beside.ts'
import { UPLOAD_LIMITS, UPLOAD_TRIAL_MS } from '../open-predictor.ts'
import { ROUND_TRIP_COST_BPS } from '../train-artifact.ts'
import type { ReceivedModel } from './receive-model.ts'

/** An upload that was tried out, as the models keep it. */
export interface TriedUpload extends NewArtifact {
  uploadedBy: string
  card: UploadCard
}

/** As many as 'Train latest' reads. */
const JUDGED_WITH = 5000

export interface TryUploadInput {
  files: ReceivedModel
  version: string
  symbol: string
  uploadedBy: string
  candles: VenueCandles
  limits?: SandboxLimits
  /** Processor time for the whole of its forecasts over the hold-out. */
  judgeMs?: number
  nowMs: number
}

/** The card of an upload, parsed. Throws `bad_input` with the field. */
export const cardOf = ({ card }: ReceivedModel): ForeignModelCard => parseForeignCard(readForeignCard(card))

/** What `work` makes; where the model's process takes longer for it than `limitMs`, it is ended. */
async function within<R>(limitMs: number, model: ForeignModel, work: () => Promise<R>): Promise<R> {
  let lateMs: number | null = null
  const calledOff = model.limit(limitMs, (tookMs) => {
    lateMs = tookMs
    model.close()
  })
  try {
    return await work()
  } catch (error) {
    if (lateMs === null) throw error
    const text = `This ONNX file cannot be used: it took longer than ${tookText(limitMs, lateMs)} to forecast the newest candles.`
    throw new AppError('unprocessable', text, { field: 'onnx', cause: error })
  } finally {
    calledOff()
  }
}

/**
 * Opens an upload, tries it out and judges it on the newest candles of its series; keeps nothing. Throws what
 * `openForeignModel` and `judgeUpload` throw, `no_candles`, `unknown_symbol`.
 */
export async function tryUpload(input: TryUploadInput): Promise<TriedUpload> {
  const { files, version, symbol, uploadedBy, candles: market, nowMs } = input
  const { limits = UPLOAD_LIMITS, judgeMs = UPLOAD_TRIAL_MS } = input
  const declared = cardOf(files)
  const { timeframe } = declared
  const candles = await market.load(symbol, timeframe, { limit: JUDGED_WITH })
  if (candles.length === 0)
    throw new AppError(
      'no_candles',
      `No candles of ${symbol} ${timeframe} are stored, so it cannot be judged. Import or download some.`,
      { field: 'symbol' },
    )
  const beside = await loadBeside(market, { symbol, timeframe }, besideOf(declared), candles)
  const model = await openForeignModel(files.onnx, readForeignCard(files.card), {
    roundTripCostBps: ROUND_TRIP_COST_BPS,
    limits,
    candles,
    beside,
  })
  try {
    const card = await within(judgeMs, model, () =>
      judgeUpload({
        model,
        candles,
        beside,
        onnx: { bytes: files.onnx.length, sha256: sha256(files.onnx) },
        source: { venue: market.venue, symbol },
        roundTripCostBps: ROUND_TRIP_COST_BPS,
        createdAtMs: nowMs,
      }),
    )
    const { flatOutcomes: _flat, ...accuracy } = card.evaluation.accuracy
    const learnt = learntFrom(card.declared)
    return {
      version,
      venue: market.venue,
      symbol,
      timeframe,
      hash: model.hash,
      uploadedBy,
      shown: {
        trainedFrom: learnt?.from ?? null,
        trainedTo: learnt?.to ?? null,
        holdoutFrom: card.holdout.from,
        holdoutTo: card.holdout.to,
        seed: null,
        accuracy,
      },
      card,
      bytes: packForeignModel(files),
    }
  } finally {
    model.close()
  }
}
