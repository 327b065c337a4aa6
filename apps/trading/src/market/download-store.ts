import { AppError } from '@shapecast/contracts/errors'
import type { DownloadJob } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { and, eq, inArray, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
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
export const completeDownload = (db: Transactions, id: string, toMs: number, nowMs: number): Promise<boolean> =>
  end(
    db,
    { status: 'completed', error: null, finishedAtMs: nowMs },
    and(eq(downloads.id, id), lte(downloads.toMs, toMs)),
  )

export const failDownload = (db: Transactions, id: string, error: string, nowMs: number): Promise<boolean> =>
  end(db, { status: 'failed', error, finishedAtMs: nowMs }, and(eq(downloads.id, id), isUnfinished))

type Transactions = Pick<NodePgDatabase, 'transaction'>
interface End {
  readonly status: 'completed' | 'failed'
  readonly error: string | null
  readonly finishedAtMs: number
}

/** Ends a download, and tells whoever asked for it; false where the condition does not hold. */
const end = (db: Transactions, how: End, condition: SQL | undefined): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [row] = await tx.update(downloads).set(how).where(condition).returning()
    if (row === undefined) return false
    const { userId, symbol, timeframe, candles } = row
    const what = `Download of ${symbol} ${timeframe}`
    if (userId !== null)
      await notify(
        tx,
        userId,
        {
          kind: 'job',
          link: '/ml-analysis',
          ...(how.error === null
            ? { title: `${what} is done`, text: `${candles.toLocaleString('en')} candles came.` }
            : { title: `${what} failed`, text: how.error }),
        },
        how.finishedAtMs,
      )
    return true
  })

/** Downloads that somebody asked the service for and that are not over; those of the command line have no job. */
export const unfinishedDownloads = (orm: Orm) =>
  orm
    .select({ id: downloads.id })
    .from(downloads)
    .where(and(isNotNull(downloads.userId), isUnfinished))

const isUnfinished = inArray(downloads.status, ['queued', 'running'])
