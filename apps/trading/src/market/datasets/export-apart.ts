import { Readable } from 'node:stream'
import { AppError } from '@shapecast/contracts/errors'
import { copyCandles } from '@shapecast/engine/candles'
import { openThread, type Thread } from '@shapecast/platform/threads/open-thread'
import type { DatasetMeta, ZipOrder } from './dataset-files.ts'
import type { DatasetCandles } from './dataset-range.ts'
import type { ZipCalls } from './zip-thread.ts'

/** Zips that a process makes at a time; each has a core and up to some 200 MB for itself. */
const AT_ONCE = 4
/** A reader who takes nothing for so long has gone. */
const PATIENCE_MS = 60_000

/**
 * Makes zips of datasets, each in a thread of its own as it is read: 100,000 rows are seconds of work. The thread ends with
 * its stream. Throws `too_many_requests` while as many as may be are made.
 */
export function createExports() {
  let open = 0
  return (meta: DatasetMeta, dataset: DatasetCandles): Readable => {
    if (open >= AT_ONCE)
      throw new AppError(
        'too_many_requests',
        `${AT_ONCE} datasets are being exported at the moment. Try again in a few seconds.`,
        { retryAfterS: 10 },
      )
    const order = { meta, withHistory: copyCandles(dataset.withHistory, 0), first: dataset.first }
    const thread = openThread<ZipCalls>(new URL('./zip-thread.ts', import.meta.url))
    // From here on its end gives the place back.
    open++
    const leaving = setTimeout(() => stream.destroy(new Error('Nobody reads on.')), PATIENCE_MS).unref()
    const stream = Readable.from(piecesOf(thread, order, leaving), { objectMode: false })
    stream.once('close', () => {
      open--
      clearTimeout(leaving)
      void thread.close()
    })
    return stream
  }
}

async function* piecesOf(
  thread: Thread<ZipCalls>,
  order: ZipOrder,
  leaving: NodeJS.Timeout,
): AsyncGenerator<Uint8Array> {
  await thread.call('begin', order)
  for (;;) {
    const piece = await thread.call('read', undefined)
    if (piece === null) return
    leaving.refresh()
    yield piece
    leaving.refresh()
  }
}
