import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { type DownloadReport, downloadHistory } from '@shapecast/venues/download-history'
import type { HistoryChunk, LiveVenue } from '@shapecast/venues/live-venue'
import { beginDownload, endDownload, findDownload } from './download-store.ts'
import { createGapFinder } from './gap-finder.ts'
import { keepGaps } from './known-gaps.ts'
import { writeCandles } from './write-candles.ts'

export interface RunDownloadDeps {
  readonly db: Database
  readonly source: Pick<LiveVenue, 'name' | 'history'>
  readonly log: Logger
  readonly now: () => number
}

/** Who looks on. */
export interface DownloadWatcher {
  onProgress?(chunk: HistoryChunk): void
  /** Before each wait for the venue: how long it will be, in ms, and why. */
  onWait?(ms: number, why: AppError): void
}

/**
 * Carries an ordered download out, from where an earlier run has got to: candles and progress are written together, so
 * that a process may die at any moment. Throws what the venue throws (the row then says so), and the signal's reason
 * (the row is left as it is, to go on later).
 */
export async function runDownload(
  deps: RunDownloadDeps,
  id: string,
  signal: AbortSignal,
  watcher: DownloadWatcher = {},
): Promise<DownloadReport> {
  const { db, source, log, now } = deps
  const row = await findDownload(db.orm, id)
  const timeframe = row.timeframe as Timeframe
  const { symbol, fromMs, toMs } = row
  const name = { venue: source.name, symbol, timeframe }
  const gaps = createGapFinder(Math.max(fromMs, row.resumeMs), TIMEFRAME_MS[timeframe])
  await beginDownload(db.orm, id)
  try {
    const sink = {
      resumePoint: async () => (await findDownload(db.orm, id)).resumeMs,
      async write(chunk: HistoryChunk) {
        await writeCandles(db.pool, name, chunk.candles, now(), async (client) => {
          await client.query('update trading.downloads set resume_ms = $2, candles = candles + $3 where id = $1', [
            id,
            chunk.resumeMs,
            chunk.candles.length,
          ])
        })
        await keepGaps(db.orm, name, gaps.next(chunk.candles, chunk.refused), now())
      },
    }
    const query = { symbol, timeframe, fromMs, toMs, signal, onWait: watcher.onWait?.bind(watcher) }
    const report = await downloadHistory(source, query, sink, watcher.onProgress?.bind(watcher))
    await endDownload(db.orm, id, { status: 'completed', error: null, nowMs: now() })
    return report
  } catch (error) {
    if (signal.aborted) throw error
    const expected = error instanceof AppError
    if (!expected) log.error({ err: error, download: id }, 'a download failed')
    const text = expected ? error.message : 'The download failed by an error of the program. Its log has the details.'
    await endDownload(db.orm, id, { status: 'failed', error: text, nowMs: now() })
    throw error
  }
}
