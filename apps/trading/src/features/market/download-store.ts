import { AppError } from '@shapecast/contracts/errors'
import type { DownloadJob } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import { eq, sql } from 'drizzle-orm'
import { type DownloadRow, downloads } from './tables.ts'

export interface DownloadOrder {
  readonly venue: string
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Open times in ms, both included. */
  readonly fromMs: number
  readonly toMs: number
}

/** A download as the API shows it. */
export function shownDownload(row: DownloadRow): DownloadJob {
  const whole = row.toMs - row.fromMs
  return {
    _id: row.id,
    status: row.status,
    venue: row.venue,
    symbol: row.symbol,
    timeframe: row.timeframe as Timeframe,
    from: row.fromMs,
    to: row.toMs,
    resumeAt: row.resumeMs,
    candles: row.candles,
    progress: whole > 0 ? Math.min(1, Math.max(0, (row.resumeMs - row.fromMs) / whole)) : 1,
    error: row.error,
    createdAt: row.createdAtMs,
  }
}

/**
 * Writes an order down: a new download, or the earlier one of the same series and start, which goes on where it has got
 * to.
 */
export async function orderDownload(
  orm: Orm,
  order: DownloadOrder,
  userId: string | null,
  nowMs: number,
): Promise<DownloadRow> {
  const [row] = await orm
    .insert(downloads)
    .values({ ...order, userId, resumeMs: order.fromMs, status: 'queued', createdAtMs: nowMs })
    .onConflictDoUpdate({
      target: [downloads.venue, downloads.symbol, downloads.timeframe, downloads.fromMs],
      set: {
        userId,
        toMs: order.toMs,
        error: null,
        finishedAtMs: null,
        status: sql`case when ${downloads.status} = 'running' then 'running' else 'queued' end`,
      },
    })
    .returning()
  return row!
}

/** Throws `not_found`. */
export async function findDownload(orm: Orm, id: string): Promise<DownloadRow> {
  const [row] = await orm.select().from(downloads).where(eq(downloads.id, id))
  if (row === undefined) throw new AppError('not_found', 'This download does not exist.')
  return row
}

export const beginDownload = (orm: Orm, id: string) =>
  orm.update(downloads).set({ status: 'running', error: null }).where(eq(downloads.id, id))

export const endDownload = (
  orm: Orm,
  id: string,
  end: { status: 'completed' | 'failed'; error: string | null; nowMs: number },
) =>
  orm
    .update(downloads)
    .set({ status: end.status, error: end.error, finishedAtMs: end.nowMs })
    .where(eq(downloads.id, id))
