import { createHash } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { z } from 'zod'

const VERSION = 1

/** In hexadecimal digits. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** JSON with the keys of every object in order, so that equal content gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** A plain name, so that it can be an object's key and a file's name without harm. */
const FileName = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,99}$/)

const Manifest = z.looseObject({
  files: z.array(z.object({ name: FileName, bytes: z.number().int().nonnegative(), sha256: z.string() })),
})

const refuse = (reason: string, cause?: unknown): never => {
  throw new AppError('unprocessable', `This is not a usable model file: ${reason}.`, { cause })
}

/** A part of a manifest by its schema. Throws `unprocessable` with the place where it does not fit. */
export function readPart<T extends z.ZodType>(schema: T, manifest: unknown): z.output<T> {
  const parsed = schema.safeParse(manifest)
  if (parsed.success) return parsed.data
  return refuse(`its manifest does not fit at ${parsed.error.issues[0]?.path.join('.')}`, parsed.error)
}

/** Whether packed bytes carry this mark at their beginning. */
export const beginsWith = (packed: Uint8Array, magic: string): boolean =>
  new TextDecoder().decode(packed.subarray(0, magic.length)) === magic

/**
 * Files in one: a magic line, version and manifest length (uint32, little endian), the manifest (`head` and the files'
 * names, lengths and hashes, as canonical JSON), then the files' bytes in order of their names.
 */
export function packFiles(magic: string, head: object, files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const names = Object.keys(files).sort()
  const manifest = {
    ...head,
    files: names.map((name) => ({ name, bytes: files[name]!.length, sha256: sha256(files[name]!) })),
  }
  const text = new TextEncoder().encode(canonicalJson(manifest))
  const headerBytes = magic.length + 8
  const packed = new Uint8Array(manifest.files.reduce((sum, file) => sum + file.bytes, headerBytes + text.length))
  packed.set(new TextEncoder().encode(magic))
  const view = new DataView(packed.buffer)
  view.setUint32(magic.length, VERSION, true)
  view.setUint32(magic.length + 4, text.length, true)
  packed.set(text, headerBytes)
  let offset = headerBytes + text.length
  for (const name of names) {
    packed.set(files[name]!, offset)
    offset += files[name]!.length
  }
  return packed
}

function readManifest(magic: string, packed: Uint8Array): { content: unknown; offset: number } {
  const headerBytes = magic.length + 8
  if (packed.length < headerBytes || !beginsWith(packed, magic)) return refuse('it does not begin like one')
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const version = view.getUint32(magic.length, true)
  if (version !== VERSION) return refuse(`its format is version ${version}, and this program reads version ${VERSION}`)
  const offset = headerBytes + view.getUint32(magic.length + 4, true)
  if (offset > packed.length) return refuse('it is cut short')
  try {
    return { content: JSON.parse(new TextDecoder().decode(packed.subarray(headerBytes, offset))), offset }
  } catch (error) {
    return refuse('its manifest cannot be read', error)
  }
}

/** What `packFiles` packed: the manifest, yet to be parsed, and the files. Throws `unprocessable` where it is torn or altered. */
export function unpackFiles(
  magic: string,
  packed: Uint8Array,
): { manifest: unknown; files: Record<string, Uint8Array> } {
  const { content, offset } = readManifest(magic, packed)
  const files: Record<string, Uint8Array> = {}
  let at = offset
  for (const file of readPart(Manifest, content).files) {
    const bytes = packed.slice(at, at + file.bytes)
    at += file.bytes
    if (sha256(bytes) !== file.sha256) return refuse(`its part ${file.name} is damaged`)
    files[file.name] = bytes
  }
  if (at !== packed.length) return refuse('it has another length than its manifest says')
  return { manifest: content, files }
}
