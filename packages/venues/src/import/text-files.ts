import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { ImportLimits } from './limits.ts'

const CHUNK_BYTES = 256 * 1024

/** A file that cannot be opened up, or that grows beyond the limits while it is. The message is for the report. */
export class UnreadableFile extends Error {}

/** One file of text: a plain file, the inside of a gzip, or one CSV of a zip. */
export interface TextFile {
  readonly name: string
  /** Whether it was found inside an archive, under the name that its publisher gave it. */
  readonly inArchive: boolean
  /** Its bytes. Throws UnreadableFile. */
  chunks(): AsyncIterable<Buffer>
}

/**
 * Opens `path` by its content, whatever its name: zip (every CSV in it, by name), gzip, or plain text.
 * The texts are to be read one after the other. `onBytes` gets how many bytes of the file itself have been read.
 */
export async function* textFiles(
  path: string,
  limits: ImportLimits,
  onBytes: (bytesRead: number) => void = () => {},
): AsyncGenerator<TextFile> {
  const kind = await kindOf(path)
  const guard = new SizeGuard(limits)
  if (kind === 'zip') yield* zipTexts(path, guard, onBytes)
  else yield { name: basename(path), inArchive: false, chunks: () => fileChunks(path, kind, guard, onBytes) }
}

async function kindOf(path: string): Promise<'zip' | 'gzip' | 'plain'> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (bytesRead >= 2 && buffer[0] === 0x1f && buffer[1] === 0x8b) return 'gzip'
    if (bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50) return 'zip'
    if (bytesRead === 4 && buffer.readUInt32LE(0) === 0x06054b50) throw new UnreadableFile('The zip is empty.')
    if (bytesRead >= 2 && (buffer.readUInt16LE(0) === 0xfeff || buffer.readUInt16LE(0) === 0xfffe))
      throw new UnreadableFile('The file is in UTF-16: save it as CSV in UTF-8.')
    return 'plain'
  } finally {
    await file.close()
  }
}

/** Holds what decompression may cost, over all texts of a file. */
class SizeGuard {
  readonly #limits: ImportLimits
  #text = 0

  constructor(limits: ImportLimits) {
    this.#limits = limits
  }

  /** Counts a chunk of text; `packed` is how many bytes it all came from so far, null where it was not compressed. */
  count(bytes: number, packed: number | null): void {
    const { maxTextBytes, maxRatio, ratioFromBytes } = this.#limits
    this.#text += bytes
    if (this.#text > maxTextBytes)
      throw new UnreadableFile(`The file holds more than ${Math.round(maxTextBytes / 1024 ** 2)} MB of text: split it.`)
    if (packed !== null && this.#text > ratioFromBytes && this.#text > packed * maxRatio)
      throw new UnreadableFile(
        `The file unpacks to more than ${maxRatio} times its size: no candles do, so reading stopped after ${Math.round(this.#text / 1024 ** 2)} MB.`,
      )
  }
}

async function* fileChunks(
  path: string,
  kind: 'gzip' | 'plain',
  guard: SizeGuard,
  onBytes: (bytesRead: number) => void,
): AsyncGenerator<Buffer> {
  const file = await open(path)
  const raw = file.createReadStream({ highWaterMark: CHUNK_BYTES })
  try {
    if (kind === 'plain') {
      for await (const chunk of raw as AsyncIterable<Buffer>) {
        guard.count(chunk.length, null)
        onBytes(raw.bytesRead)
        yield chunk
      }
      return
    }
    const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    raw.on('error', (error) => gunzip.destroy(error))
    raw.pipe(gunzip)
    try {
      for await (const chunk of gunzip as AsyncIterable<Buffer>) {
        guard.count(chunk.length, gunzip.bytesWritten)
        onBytes(gunzip.bytesWritten)
        yield chunk
      }
    } catch (error) {
      throw error instanceof UnreadableFile ? error : new UnreadableFile(`The gzip is damaged: ${messageOf(error)}.`)
    } finally {
      gunzip.destroy()
    }
  } finally {
    raw.destroy()
    await file.close().catch(() => {})
  }
}

async function* zipTexts(
  path: string,
  guard: SizeGuard,
  onBytes: (bytesRead: number) => void,
): AsyncGenerator<TextFile> {
  let zip: ZipFile
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (error) {
    throw new UnreadableFile(`The zip is damaged: ${messageOf(error)}.`)
  }
  try {
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= 10_000) throw new UnreadableFile('The zip has more than 10,000 files.')
      if (isCsv(entry.fileName)) entries.push(entry)
    }
    if (entries.length === 0) throw new UnreadableFile('There is no CSV file in the zip.')
    entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
    let packedBefore = 0
    for (const entry of entries) {
      const packed = packedBefore + entry.compressedSize
      yield { name: entry.fileName, inArchive: true, chunks: () => zipChunks(zip, entry, guard, packed) }
      packedBefore += entry.compressedSize
      onBytes(packedBefore)
    }
  } catch (error) {
    throw error instanceof UnreadableFile || !isZipFault(error)
      ? error
      : new UnreadableFile(`The zip is damaged: ${messageOf(error)}.`)
  } finally {
    zip.close()
  }
}

async function* zipChunks(zip: ZipFile, entry: Entry, guard: SizeGuard, packed: number): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) throw new UnreadableFile(`${entry.fileName} is encrypted.`)
  let stream: Readable | undefined
  try {
    stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      guard.count(chunk.length, packed)
      yield chunk
    }
  } catch (error) {
    throw error instanceof UnreadableFile
      ? error
      : new UnreadableFile(`${entry.fileName} in the zip is damaged: ${messageOf(error)}.`)
  } finally {
    stream?.destroy()
  }
}

const isCsv = (name: string): boolean =>
  /\.(csv|txt)$/i.test(name) && !name.startsWith('__MACOSX/') && !/(^|\/)\./.test(name)

/** yauzl reports faults of the archive as plain Errors without a system code. */
const isZipFault = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !('code' in error)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
