import { serveCalls } from '@shapecast/platform/threads/serve-calls'
import { datasetZip, type ZipOrder } from './dataset-files.ts'

/** Bytes that are sent at a time, about. */
const PIECE_BYTES = 256 * 1024

let pieces: AsyncIterator<Buffer>

const zipCalls = {
  begin(order: ZipOrder) {
    pieces = datasetZip(order)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  },
  /** The next piece of the zip; null after the last. */
  async read(): Promise<Uint8Array | null> {
    const taken: Buffer[] = []
    let bytes = 0
    while (bytes < PIECE_BYTES) {
      const next = await pieces.next()
      if (next.done) break
      taken.push(next.value)
      bytes += next.value.length
    }
    return bytes === 0 ? null : new Uint8Array(Buffer.concat(taken))
  },
}
/** What a thread that makes one zip answers. */
export type ZipCalls = typeof zipCalls

serveCalls(zipCalls)
