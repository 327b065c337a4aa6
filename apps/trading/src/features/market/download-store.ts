import { AppError } from '@shapecast/contracts/errors'
import type { DownloadJob } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
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

/** False where a later end than `toMs` was asked for meanwhile: it is not complete then. */
export async function completeDownload(orm: Orm, id: string, toMs: number, nowMs: number): Promise<boolean> {
  const rows = await orm
    .update(downloads)
    .set({ status: 'completed', error: null, finishedAtMs: nowMs })
    .where(and(eq(downloads.id, id), lte(downloads.toMs, toMs)))
    .returning({ id: downloads.id })
  return rows.length > 0
}

export const failDownload = (orm: Orm, id: string, error: string, nowMs: number) =>
  orm
    .update(downloads)
    .set({ status: 'failed', error, finishedAtMs: nowMs })
    .where(and(eq(downloads.id, id), isUnfinished))

/** Downloads that somebody asked the service for and that are not over; those of the command line have no job. */
export const unfinishedDownloads = (orm: Orm) =>
  orm
    .select({ id: downloads.id })
    .from(downloads)
    .where(and(isNotNull(downloads.userId), isUnfinished))

const isUnfinished = inArray(downloads.status, ['queued', 'running'])
