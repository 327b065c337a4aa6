import type { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { type DownloadReport, downloadHistory } from '@shapecast/venues/download-history'
import type { HistoryChunk, LiveVenue } from '@shapecast/venues/live-venue'
import { failureText } from '../ground/job-end.ts'
import { beginDownload, completeDownload, failDownload, findDownload } from './download-store.ts'
import { createGapFinder } from './gap-finder.ts'
import { keepGaps } from './known-gaps.ts'
import type { DownloadRow } from './tables.ts'
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
 * that a process may die at any moment. Where a later end is asked for meanwhile, it goes on to that. Throws what the venue
 * throws (the row then says so), and the signal's reason or that the database was lost (the row is left as it is, to go
 * on later).
 */
export async function runDownload(
  deps: RunDownloadDeps,
  id: string,
  signal: AbortSignal,
  watcher: DownloadWatcher = {},
): Promise<DownloadReport> {
  const { db, log, now } = deps
  let total: DownloadReport | undefined
  try {
    await beginDownload(db.orm, id)
    for (;;) {
      const row = await findDownload(db.orm, id)
      const report = await fetchTo(deps, row, signal, watcher)
      total = total === undefined ? report : joined(total, report)
      if (await completeDownload(db.orm, id, row.toMs, now())) return total
    }
  } catch (error) {
    await failDownload(db.orm, id, failureText(error, { what: 'download', id, signal, log }), now())
    throw error
  }
}

function fetchTo(
  { db, source, now }: RunDownloadDeps,
  row: DownloadRow,
  signal: AbortSignal,
  watcher: DownloadWatcher,
): Promise<DownloadReport> {
  const { id, symbol, fromMs, toMs, resumeMs } = row
  const timeframe = row.timeframe as Timeframe
  const name = { venue: source.name, symbol, timeframe }
  const gaps = createGapFinder(Math.max(fromMs, resumeMs), TIMEFRAME_MS[timeframe])
  const sink = {
    resumePoint: async () => resumeMs,
    async write(chunk: HistoryChunk) {
      await writeCandles(db.pool, name, chunk.candles, chunk.askedMs, async (client) => {
        await client.query('update trading.downloads set resume_ms = $2, candles = candles + $3 where id = $1', [
          id,
          chunk.resumeMs,
          chunk.candles.length,
        ])
      })
      await keepGaps(db, name, gaps.next(chunk.candles, chunk.refused), now())
    },
  }
  const query = { symbol, timeframe, fromMs, toMs, signal, onWait: watcher.onWait?.bind(watcher) }
  return downloadHistory(source, query, sink, watcher.onProgress?.bind(watcher))
}

const joined = (first: DownloadReport, then: DownloadReport): DownloadReport => ({
  candles: first.candles + then.candles,
  refused: first.refused + then.refused,
  fromMs: first.fromMs,
  resumeMs: then.resumeMs,
})
