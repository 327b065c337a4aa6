import type { FeatureImportance, ImportanceRun } from '@shapecast/contracts/importance'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, eq, inArray, notInArray } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type ImportanceRow, importances } from './tables.ts'

const ACTIVE = ['queued', 'running'] as const

export const importanceOf = (row: ImportanceRow): ImportanceRun => ({
  artifactId: row.artifactId,
  status: row.status,
  importance: row.importance,
  error: row.error,
  requestedAt: row.requestedAtMs,
  finishedAt: row.finishedAtMs,
})

/** Rows of importances. Each change of state is one statement that holds only from the states it may come from. */
export const createImportanceStore = (db: NodePgDatabase) => ({
  async find(artifactId: string): Promise<ImportanceRow | undefined> {
    const [row] = await db.select().from(importances).where(eq(importances.artifactId, artifactId))
    return row
  },

  /** Queued from now on, with what the last one found left in place. Undefined where one waits or runs already. */
  async queue(
    tx: Orm,
    asked: { artifactId: string; jobId: string; requestedBy: string; requestedAtMs: number },
  ): Promise<ImportanceRow | undefined> {
    const { jobId, requestedBy, requestedAtMs } = asked
    const queued = { status: 'queued', error: null, finishedAtMs: null } as const
    const [row] = await tx
      .insert(importances)
      .values({ ...asked, ...queued })
      .onConflictDoUpdate({
        target: importances.artifactId,
        set: { jobId, requestedBy, requestedAtMs, ...queued },
        setWhere: notInArray(importances.status, [...ACTIVE]),
      })
      .returning()
    return row
  },

  /** How many of a user's wait or run. */
  async activeOf(userId: string, orm: Orm): Promise<number> {
    const [row] = await orm
      .select({ n: count() })
      .from(importances)
      .where(and(eq(importances.requestedBy, userId), inArray(importances.status, [...ACTIVE])))
    return row?.n ?? 0
  },

  unfinished: (): Promise<ImportanceRow[]> =>
    db
      .select()
      .from(importances)
      .where(inArray(importances.status, [...ACTIVE])),

  /** Queued or (after a crash) running → running. Undefined where the job's turn is over. */
  async begin(artifactId: string, jobId: string): Promise<ImportanceRow | undefined> {
    const [row] = await db.update(importances).set({ status: 'running' }).where(ofJob(artifactId, jobId)).returning()
    return row
  },

  /** Running → completed. */
  async complete(artifactId: string, jobId: string, importance: FeatureImportance, nowMs: number): Promise<void> {
    await db
      .update(importances)
      .set({ status: 'completed', importance, error: null, finishedAtMs: nowMs })
      .where(ofJob(artifactId, jobId))
  },

  /** Queued or running → failed; what an earlier one found stays. */
  async fail(artifactId: string, jobId: string, error: string, nowMs: number): Promise<void> {
    await db.update(importances).set({ status: 'failed', error, finishedAtMs: nowMs }).where(ofJob(artifactId, jobId))
  },
})
export type ImportanceStore = ReturnType<typeof createImportanceStore>

const ofJob = (artifactId: string, jobId: string) =>
  and(eq(importances.artifactId, artifactId), eq(importances.jobId, jobId), inArray(importances.status, [...ACTIVE]))
