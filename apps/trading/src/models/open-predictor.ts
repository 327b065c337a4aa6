import { type ModelPredictor, traitsOfTrained } from '@shapecast/ml/forecast/model-traits'
import { traitsOfUpload, UploadCard } from '@shapecast/ml/foreign/upload-card'
import { openModel } from '@shapecast/ml/open-model'
import { ROUND_TRIP_COST_BPS } from './train-artifact.ts'
import { UPLOAD_LIMITS } from './upload-limits.ts'

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
