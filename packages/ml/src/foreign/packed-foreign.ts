import { AppError } from '@shapecast/contracts/errors'
import { packFiles, unpackFiles } from '../artifact/packed-files.ts'

/** An uploaded model as it came: the ONNX file and the text of its card, byte by byte. */
export interface ForeignFiles {
  onnx: Uint8Array
  /** JSON, UTF-8. */
  card: Uint8Array
}

export const FOREIGN_MAGIC = 'SHAPECAST-UPLOAD\n'

/** Both files in one, with their hashes. */
export const packForeignModel = ({ onnx, card }: ForeignFiles): Uint8Array =>
  packFiles(FOREIGN_MAGIC, {}, { 'model.onnx': onnx, 'card.json': card })

/** The files as they were uploaded. Throws `unprocessable` where the packed file is torn, altered, or of another version. */
export function unpackForeignModel(packed: Uint8Array): ForeignFiles {
  const { files } = unpackFiles(FOREIGN_MAGIC, packed)
  const { 'model.onnx': onnx, 'card.json': card } = files
  if (onnx === undefined || card === undefined)
    throw new AppError('unprocessable', 'This is not a usable model file: its network or its card is missing.')
  return { onnx, card }
}
