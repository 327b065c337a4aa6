import { type ModelPredictor, traitsOfTrained } from '@shapecast/ml/forecast/model-traits'
import type { SandboxLimits } from '@shapecast/ml/foreign/sandbox'
import { traitsOfUpload, UploadCard } from '@shapecast/ml/foreign/upload-card'
import { openModel } from '@shapecast/ml/open-model'
import { ROUND_TRIP_COST_BPS } from './train-artifact.ts'

/** What an uploaded network may take, whenever it runs; times are of the processor. */
export const UPLOAD_LIMITS: Readonly<SandboxLimits> = { openMs: 15_000, runMs: 5_000, memoryBytes: 1024 ** 3 }
/** Processor time for its forecasts of the hold-out and of the 500 candles before it, when it is tried out. */
export const UPLOAD_TRIAL_MS = 10_000

/** An artifact as it is stored: its packed files, and the card beside them. */
export interface StoredModel {
  bytes: Uint8Array
  card: unknown
}

/** Opens a stored model of either kind. Throws `unprocessable` where it does not run. */
export async function openPredictor({ bytes, card }: StoredModel): Promise<ModelPredictor> {
  const opened = await openModel(bytes, { roundTripCostBps: ROUND_TRIP_COST_BPS, limits: UPLOAD_LIMITS })
  if (opened.kind === 'trained') return { ...opened.predictor, traits: traitsOfTrained(opened.artifact.card) }
  const { model } = opened
  return {
    traits: traitsOfUpload(UploadCard.parse(card)),
    historyCandles: model.historyCandles,
    predict: model.predict,
    close: async () => model.close(),
  }
}
