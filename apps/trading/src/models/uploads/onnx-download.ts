import { readFileSync } from 'node:fs'
import { AppError } from '@shapecast/contracts/errors'
import { unpackArtifact } from '@shapecast/ml/artifact/artifact'
import { ownCard } from '@shapecast/ml/foreign/own-card'
import { unpackForeignModel } from '@shapecast/ml/foreign/packed-foreign'
import { isUploaded } from '@shapecast/ml/open-model'
import { ZipFile } from 'yazl'
import { kitReadme } from './kit-readme.ts'
import type { UploadedArtifacts } from './uploaded-artifacts.ts'

const RUN = readFileSync(new URL('./kit-run.py', import.meta.url))
const SHOWN_HASH = 12

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** The files that somebody takes along: of an upload those that came, of ours all that the networks need elsewhere. */
function filesOf(bytes: Uint8Array, version: string): Record<string, Uint8Array> {
  if (isUploaded(bytes)) {
    const { onnx, card } = unpackForeignModel(bytes)
    return { 'model.onnx': onnx, 'card.json': card }
  }
  const { card, files } = unpackArtifact(bytes)
  return {
    'README.md': Buffer.from(kitReadme(card, version)),
    'card.json': json(card),
    ...Object.fromEntries(
      Object.entries(card.networks).flatMap(([name, { file }]) => [
        [`${name}.onnx`, files[file]!],
        [`${name}.card.json`, json(ownCard(card, name, version))],
      ]),
    ),
    'run.py': RUN,
  }
}

/** Models as files to take along. */
export const createOnnxDownloads = (models: Pick<UploadedArtifacts, 'kept' | 'stored'>) => ({
  /** A zip and its name; the same artifact gives the same content. Throws `not_found`. */
  async zip(id: string): Promise<{ name: string; content: NodeJS.ReadableStream }> {
    const [kept, stored] = [await models.kept(id), await models.stored(id)]
    if (kept === undefined || stored === undefined) throw new AppError('not_found', 'There is no such trained model.')
    const zip = new ZipFile()
    for (const [name, content] of Object.entries(filesOf(stored.bytes, kept.version)))
      zip.addBuffer(Buffer.from(content.buffer, content.byteOffset, content.byteLength), name, { mtime: new Date(0) })
    zip.end()
    const { version, symbol, timeframe, hash } = kept
    return {
      name: `onnx-${version}-${symbol}-${timeframe}-${hash.slice(0, SHOWN_HASH)}.zip`,
      content: zip.outputStream,
    }
  },
})
export type OnnxDownloads = ReturnType<typeof createOnnxDownloads>
