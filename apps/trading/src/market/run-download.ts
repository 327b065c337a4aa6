import type { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { type DownloadReport, downloadHistory } from '@shapecast/venues/download-history'
import type { HistoryChunk, LiveVenue } from '@shapecast/venues/live-venue'
import { drizzle } from 'drizzle-orm/node-postgres'
import { beat } from '../ground/jobs/job-rows.ts'
import type { Work } from '../ground/jobs/kind.ts'
import { createTimeLeft } from '../ground/jobs/time-left.ts'
import { type DownloadOrder, type DownloadProgress, progressOf } from './download-kind.ts'
import { createGapFinder, keepGaps } from './gaps.ts'
import { writeCandles } from './write-candles.ts'

export interface RunDownloadDeps {
  readonly db: Database
  readonly source: Pick<LiveVenue, 'name' | 'history'>
  readonly now: () => number
}

/** Who looks on. */
export interface DownloadWatcher {
  onProgress?(chunk: HistoryChunk): void
  /** Before each wait for the venue: how long it will be, in ms, and why. */
  onWait?(ms: number, why: AppError): void
}

/**
 * Downloads from where an earlier attempt has got to: candles and progress are written together, so that a process may die
 * at any moment. Where a later end is asked for meanwhile, it goes on to that.
 */
export const downloadWork = (
  { db, source, now }: RunDownloadDeps,
  watcher: DownloadWatcher = {},
): Work<DownloadOrder, DownloadProgress, null, { report: DownloadReport; toMs: number }> => ({
  async run(job, { signal }) {
    const { symbol, timeframe, fromMs, toMs } = job.payload
    const resumeMs = Math.max(fromMs, job.progress.resumeMs)
    let { candles } = job.progress
    const name = { venue: source.name, symbol, timeframe }
    const gaps = createGapFinder(resumeMs, TIMEFRAME_MS[timeframe])
    const withTimeLeft = createTimeLeft()
    withTimeLeft(job.progress)
    const sink = {
      resumePoint: async () => resumeMs,
      async write(chunk: HistoryChunk) {
        const progress = withTimeLeft(progressOf(job.payload, chunk.resumeMs, candles + chunk.candles.length))
        await writeCandles(db.pool, name, chunk.candles, chunk.askedMs, async (client) => {
          await beat(drizzle(client), job, progress, now())
        })
        candles = progress.candles
        await keepGaps(db, name, gaps.next(chunk.candles, chunk.refused), now())
      },
    }
    const query = { symbol, timeframe, fromMs, toMs, signal, onWait: watcher.onWait?.bind(watcher) }
    return { report: await downloadHistory(source, query, sink, watcher.onProgress?.bind(watcher)), toMs }
  },

  async complete(_tx, { payload, progress }, { toMs }) {
    return payload.toMs > toMs ? null : { result: null, progress }
  },
})
