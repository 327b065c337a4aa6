import { type ModelArtifactFile, unpackArtifact } from './artifact/artifact.ts'
import { beginsWith } from './artifact/packed-files.ts'
import { loadPredictor, type Predictor } from './forecast/predict.ts'
import { type ForeignModel, type ForeignOptions, openForeignModel, readForeignCard } from './foreign/foreign-model.ts'
import { FOREIGN_MAGIC, unpackForeignModel } from './foreign/packed-foreign.ts'

/** A model of the artifacts table, ready to predict, by who made it. The caller that opens it closes it. */
export type OpenedModelFile =
  | { kind: 'trained'; artifact: ModelArtifactFile; predictor: Predictor }
  | { kind: 'uploaded'; model: ForeignModel }

/** Whether a packed file is an upload; by its magic line. */
export const isUploaded = (packed: Uint8Array): boolean => beginsWith(packed, FOREIGN_MAGIC)

/**
 * Opens a packed model: one that was trained here, or an upload in a process of its own. Throws `unprocessable` where the
 * file is torn, was made for other inputs, or does not run within the limits.
 */
export async function openModel(packed: Uint8Array, options: ForeignOptions): Promise<OpenedModelFile> {
  if (isUploaded(packed)) {
    const { onnx, card } = unpackForeignModel(packed)
    return { kind: 'uploaded', model: await openForeignModel(onnx, readForeignCard(card), options) }
  }
  const artifact = unpackArtifact(packed)
  return { kind: 'trained', artifact, predictor: await loadPredictor(artifact) }
}
