import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { z } from 'zod'
import { ModelCard } from './card.ts'

export type { ModelCard } from './card.ts'

/** A trained model: its card and its binary files by name (networks, optimiser states, conformal scores). */
export interface ModelArtifactFile {
  card: ModelCard
  files: Record<string, Uint8Array>
}

const MAGIC = 'SHAPECAST-MODEL\n'
const VERSION = 1
const HEADER_BYTES = MAGIC.length + 8

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** JSON with the keys of every object in order, so that equal content gives equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** A plain name, so that it can be an object's key and a file's name without harm. */
const FileName = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/)

const Manifest = z.object({
  card: ModelCard,
  files: z.array(z.object({ name: FileName, bytes: z.number().int().nonnegative(), sha256: z.string() })),
})
type Manifest = z.infer<typeof Manifest>

/**
 * SHA-256 (hex) over the card in canonical JSON and the hashes of the files in order of their names. The time of
 * creation is left out: training again on the same candles with the same settings gives the same hash.
 */
export function artifactHash(artifact: ModelArtifactFile): string {
  const { createdAtMs: _left, ...card } = artifact.card
  const files = Object.keys(artifact.files)
    .sort()
    .map((name) => ({ name, sha256: sha256(artifact.files[name]!) }))
  return sha256(new TextEncoder().encode(canonicalJson({ card, files })))
}

/** One file: a magic line, version and manifest length (uint32, little endian), the manifest, then the files' bytes. */
export function packArtifact(artifact: ModelArtifactFile): Uint8Array {
  const names = Object.keys(artifact.files).sort()
  const manifest: Manifest = {
    card: artifact.card,
    files: names.map((name) => {
      const bytes = artifact.files[name]!
      return { name, bytes: bytes.length, sha256: sha256(bytes) }
    }),
  }
  const text = new TextEncoder().encode(canonicalJson(manifest))
  const total = manifest.files.reduce((sum, file) => sum + file.bytes, HEADER_BYTES + text.length)
  const packed = new Uint8Array(total)
  packed.set(new TextEncoder().encode(MAGIC))
  const view = new DataView(packed.buffer)
  view.setUint32(MAGIC.length, VERSION, true)
  view.setUint32(MAGIC.length + 4, text.length, true)
  packed.set(text, HEADER_BYTES)
  let offset = HEADER_BYTES + text.length
  for (const name of names) {
    packed.set(artifact.files[name]!, offset)
    offset += artifact.files[name]!.length
  }
  return packed
}

const refuse = (reason: string, cause?: unknown): never => {
  throw new AppError('unprocessable', `This is not a usable model file: ${reason}.`, { cause })
}

function readManifest(packed: Uint8Array): { manifest: Manifest; offset: number } {
  if (packed.length < HEADER_BYTES || new TextDecoder().decode(packed.subarray(0, MAGIC.length)) !== MAGIC)
    return refuse('it does not begin like one')
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const version = view.getUint32(MAGIC.length, true)
  if (version !== VERSION) return refuse(`its format is version ${version}, and this program reads version ${VERSION}`)
  const offset = HEADER_BYTES + view.getUint32(MAGIC.length + 4, true)
  if (offset > packed.length) return refuse('it is cut short')
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder().decode(packed.subarray(HEADER_BYTES, offset)))
  } catch (error) {
    return refuse('its manifest cannot be read', error)
  }
  const parsed = Manifest.safeParse(content)
  if (parsed.success) return { manifest: parsed.data, offset }
  return refuse(`its manifest does not fit at ${parsed.error.issues[0]?.path.join('.')}`, parsed.error)
}

/** The artifact in a packed file. Throws `unprocessable` where the file is torn, altered, or of another version. */
export function unpackArtifact(packed: Uint8Array): ModelArtifactFile {
  const { manifest, offset } = readManifest(packed)
  const files: Record<string, Uint8Array> = {}
  let at = offset
  for (const file of manifest.files) {
    const bytes = packed.slice(at, at + file.bytes)
    at += file.bytes
    if (sha256(bytes) !== file.sha256) return refuse(`its part ${file.name} is damaged`)
    files[file.name] = bytes
  }
  if (at !== packed.length) return refuse('it has another length than its manifest says')
  return { card: manifest.card, files }
}
