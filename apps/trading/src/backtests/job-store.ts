import type { BacktestJob } from '@shapecast/contracts/backtest'
import { recordActivity } from '@shapecast/platform/activities'
import type { Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { and, count, eq, inArray } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { BacktestOrder } from './backtest-order.ts'
import { type FinishedRun, insertRun, packRun } from './run-store.ts'
import { type BacktestJobRow, backtestJobs } from './tables.ts'

const ACTIVE = ['queued', 'running'] as const

export const jobOf = (row: BacktestJobRow): BacktestJob => ({
  _id: row.id,
  status: row.status,
  progress: { current: row.progressCurrent, total: row.progressTotal },
  runId: row.runId,
  error: row.error,
  createdAt: row.createdAtMs,
})

export const orderOfRow = (row: BacktestJobRow): BacktestOrder => row.order as BacktestOrder

const wordsOf = ({ bot, symbol, symbols, timeframe }: BacktestOrder): string =>
  `${bot.name} on ${symbols?.join(', ') ?? symbol} ${timeframe}`

/** Tells whoever asked for a backtest that it is done, or why it failed. */
const tellTested = (tx: Orm, row: BacktestJobRow, end: { runId: string } | { error: string }, nowMs: number) => {
  const what = `Backtest of ${wordsOf(orderOfRow(row))}`
  return notify(
    tx,
    row.userId,
    'runId' in end
      ? {
          kind: 'job',
          title: `${what} is done`,
          text: 'Open it for the result, on what the model had seen and on what it had not.',
          link: `/backtest?run=${end.runId}`,
        }
      : { kind: 'job', title: `${what} failed`, text: end.error, link: '/backtest' },
    nowMs,
  )
}

/** Rows of backtest jobs. Each change of state is one statement that holds only from the states it may come from. */
export const createJobStore = (
  db: NodePgDatabase,
  /** Whether everybody sees this bot; it stays so until the transaction ends. */
  isPublicBot: (tx: Orm, botId: string) => Promise<boolean>,
) => ({
  async insert(tx: Orm, order: BacktestOrder, userId: string, nowMs: number): Promise<string> {
    const [row] = await tx
      .insert(backtestJobs)
      .values({ userId, order, status: 'queued', createdAtMs: nowMs })
      .returning({ id: backtestJobs.id })
    return row!.id
  },

  async find(id: string): Promise<BacktestJobRow | undefined> {
    const [row] = await db.select().from(backtestJobs).where(eq(backtestJobs.id, id))
    return row
  },

  /** Id, state and age of the jobs that are not over. */
  unfinished: () =>
    db
      .select({ id: backtestJobs.id, createdAtMs: backtestJobs.createdAtMs })
      .from(backtestJobs)
      .where(inArray(backtestJobs.status, [...ACTIVE])),

  async activeOf(userId: string, tx: Orm): Promise<number> {
    const [row] = await tx
      .select({ n: count() })
      .from(backtestJobs)
      .where(and(eq(backtestJobs.userId, userId), inArray(backtestJobs.status, [...ACTIVE])))
    return row?.n ?? 0
  },

  /** Queued or (after a crash) running → running from the start. Undefined where it is over. */
  async begin(id: string): Promise<BacktestJobRow | undefined> {
    const [row] = await db
      .update(backtestJobs)
      .set({ status: 'running', progressCurrent: 0, progressTotal: 0 })
      .where(and(eq(backtestJobs.id, id), inArray(backtestJobs.status, [...ACTIVE])))
      .returning()
    return row
  },

  /** False where the job no longer runs: it was cancelled. Candles done of candles to do. */
  async report(id: string, current: number, total: number): Promise<boolean> {
    const rows = await db
      .update(backtestJobs)
      .set({ progressCurrent: current, progressTotal: total })
      .where(and(eq(backtestJobs.id, id), eq(backtestJobs.status, 'running')))
      .returning({ id: backtestJobs.id })
    return rows.length > 0
  },

  /** Stores the run and completes the job in one transaction; undefined where it was cancelled before. */
  async complete(id: string, run: FinishedRun, nowMs: number): Promise<string | undefined> {
    const packed = await packRun(run)
    return db.transaction(async (tx) => {
      const [row] = await tx.select().from(backtestJobs).where(eq(backtestJobs.id, id)).for('update')
      if (row?.status !== 'running') return undefined
      const order = orderOfRow(row)
      const isPublic = order.bot.id !== null && (await isPublicBot(tx, order.bot.id))
      const runId = await insertRun(tx, packed, row.userId, nowMs)
      await recordActivity(tx, {
        type: 'backtest',
        action: 'backtest.finished',
        actorId: row.userId,
        subject: { id: runId, name: wordsOf(order) },
        owner: { userId: row.userId, isPublic },
      })
      await tellTested(tx, row, { runId }, nowMs)
      await tx
        .update(backtestJobs)
        .set({
          status: 'completed',
          runId,
          finishedAtMs: nowMs,
          progressCurrent: run.summary.candles,
          progressTotal: run.summary.candles,
        })
        .where(eq(backtestJobs.id, id))
      return runId
    })
  },

  /** Queued or running → failed with a text, or cancelled without one. Undefined where it was already over. */
  end(id: string, error: string | null, nowMs: number, orm?: Orm): Promise<BacktestJobRow | undefined> {
    const within = async (tx: Orm) => {
      const [row] = await tx
        .update(backtestJobs)
        .set({ status: error === null ? 'cancelled' : 'failed', error, finishedAtMs: nowMs })
        .where(and(eq(backtestJobs.id, id), inArray(backtestJobs.status, [...ACTIVE])))
        .returning()
      if (row !== undefined && error !== null) await tellTested(tx, row, { error }, nowMs)
      return row
    }
    return orm === undefined ? db.transaction(within) : within(orm)
  },
})
export type JobStore = ReturnType<typeof createJobStore>
