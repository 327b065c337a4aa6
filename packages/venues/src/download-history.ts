import type { HistoryChunk, HistoryQuery, LiveVenue } from './live-venue.ts'

/** Where a download is kept. */
export interface DownloadSink {
  /** Where an earlier download of this series stopped (`resumeMs` of the last chunk written); null for a first download. */
  resumePoint(): Promise<number | null>
  /** Keeps the candles and `resumeMs` together, in one transaction: a process may be killed at any moment. */
  write(chunk: HistoryChunk): Promise<void>
}

/** What one run of a download did. */
export interface DownloadReport {
  readonly candles: number
  readonly refused: number
  /** Where this run began and what it has got to. */
  readonly fromMs: number
  readonly resumeMs: number
}

/**
 * Fetches a range of a series into `sink`, from where an earlier run stopped, at the speed that the venue allows. Throws
 * what `history` throws, and the signal's reason where it is aborted; what was written until then stays written.
 */
export async function downloadHistory(
  venue: Pick<LiveVenue, 'history'>,
  query: HistoryQuery,
  sink: DownloadSink,
  onProgress?: (chunk: HistoryChunk) => void,
): Promise<DownloadReport> {
  const kept = await sink.resumePoint()
  const fromMs = kept === null ? query.fromMs : Math.min(Math.max(kept, query.fromMs), query.toMs + 1)
  let candles = 0
  let refused = 0
  let resumeMs = fromMs
  if (fromMs <= query.toMs)
    for await (const chunk of venue.history({ ...query, fromMs })) {
      await sink.write(chunk)
      candles += chunk.candles.length
      refused += chunk.refused
      resumeMs = chunk.resumeMs
      // The part of this run, put into the whole.
      const whole = query.toMs - query.fromMs
      const doneRatio = whole > 0 ? Math.min(1, Math.max(0, (resumeMs - query.fromMs) / whole)) : 1
      onProgress?.({ ...chunk, doneRatio })
    }
  return { candles, refused, fromMs, resumeMs }
}
