import { z } from 'zod'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { ArtifactDetail, ModelStage, ModelVersion, modelDetail, models } from './ml.ts'

/** Largest ONNX file that may be uploaded, by anybody and by managers, and largest card. */
export const LARGEST_ONNX_BYTES = 20 * 1024 * 1024
export const LARGEST_ONNX_BYTES_OF_MANAGERS = 64 * 1024 * 1024
export const LARGEST_CARD_BYTES = 64 * 1024

/** An upload that was taken: the version with its stage, and the new artifact with how it fared. */
export const UploadedModel = z.object({ version: ModelVersion, stage: ModelStage, artifact: ArtifactDetail })
export type UploadedModel = z.infer<typeof UploadedModel>

export const uploadModel = tradingEndpoint('POST /api/ml/models/:id/upload', {
  summary:
    'Upload a network as a version: an ONNX file (`onnx`) and its card (`card`, JSON) as multipart/form-data. It is tried out and judged on the newest 400 candles before it is taken. To a new version, or one of your own; managers to any.',
  touches: [models, modelDetail],
  params: z.object({ id: ModelVersion }),
  query: z.object({ symbol: SymbolId }),
  bodyKind: 'multipart',
  fileParts: ['onnx', 'card'],
  bodyLimit: LARGEST_ONNX_BYTES_OF_MANAGERS + LARGEST_CARD_BYTES,
  reply: UploadedModel,
  errors: [
    'payload_too_large',
    'unprocessable',
    'unknown_symbol',
    'no_candles',
    'too_few_candles',
    'conflict',
    'too_many_requests',
  ],
})

/** An upload that is gone: whether it predicted, and which artifact of its series does instead; null where none does. */
export const DeletedUpload = z.object({
  version: ModelVersion,
  predicted: z.boolean(),
  predictsNow: z.uuid().nullable(),
})
export type DeletedUpload = z.infer<typeof DeletedUpload>

export const deleteUpload = tradingEndpoint('DELETE /api/ml/artifacts/:id', {
  summary:
    'Delete an uploaded artifact. Its uploader and managers; not while it predicts in production, or a bot has pinned it.',
  touches: [models, modelDetail],
  reply: DeletedUpload,
  errors: ['not_found', 'unprocessable', 'model_in_use'],
})

export const artifactOnnx = tradingEndpoint('GET /api/ml/artifacts/:id/onnx', {
  summary:
    'The networks as a zip: ONNX files, cards, a README on inputs, scaling and outputs, and an example in Python. Of an upload its file and card as they came.',
  ...fileOf('application/zip'),
})
