import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { serveCalls } from '@shapecast/platform/threads/serve-calls'
import { type DatasetMeta, datasetZip } from './dataset-files.ts'

/** Bytes that are sent at a time, about. */
const PIECE_BYTES = 256 * 1024

interface ZipOrder {
  meta: DatasetMeta
  withHistory: Candles
  /** Index of the dataset's first row among them; it goes to their last. */
  first: number
}

let pieces: AsyncIterator<Buffer>

const zipCalls = {
  begin({ meta, withHistory, first }: ZipOrder) {
    const rows = sliceCandles(withHistory, first)
    pieces = datasetZip(meta, { withHistory, first, rows })[Symbol.asyncIterator]() as AsyncIterator<Buffer>
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
