import type { Examination } from '@shapecast/contracts/examinations'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import { type LeakAudit, leakVerdict } from '@shapecast/contracts/leak-audit'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type ExaminationRow, examinations } from './tables.ts'

const ACTIVE = ['queued', 'running'] as const

export const examinationOf = (row: ExaminationRow): Examination => ({
  artifactId: row.artifactId,
  status: row.status,
  verdict: row.verdict,
  audit: row.audit,
  importance: row.importance,
  error: row.error,
  requestedAt: row.requestedAtMs,
  examinedAt: row.examinedAtMs,
  finishedAt: row.finishedAtMs,
})

/** Rows of examinations. Each change of state is one statement that holds only from the states it may come from. */
export const createExaminationStore = (db: NodePgDatabase) => ({
  async find(artifactId: string): Promise<ExaminationRow | undefined> {
    const [row] = await db.select().from(examinations).where(eq(examinations.artifactId, artifactId))
    return row
  },

  /** Queued from now on, with what the last one found left in place. Undefined where one waits or runs already. */
  async queue(
    tx: Orm,
    asked: { artifactId: string; jobId: string; requestedBy: string | null; requestedAtMs: number },
  ): Promise<ExaminationRow | undefined> {
    const [row] = await tx
      .insert(examinations)
      .values({ ...asked, status: 'queued' })
      .onConflictDoUpdate({
        target: examinations.artifactId,
        set: {
          jobId: asked.jobId,
          requestedBy: asked.requestedBy,
          requestedAtMs: asked.requestedAtMs,
          status: 'queued',
          error: null,
          finishedAtMs: null,
        },
        setWhere: notInArray(examinations.status, [...ACTIVE]),
      })
      .returning()
    return row
  },

  /** How many of a user's examinations wait or run; null counts the installation's own. */
  async activeOf(userId: string | null, orm: Orm = db): Promise<number> {
    const by = userId === null ? isNull(examinations.requestedBy) : eq(examinations.requestedBy, userId)
    const [row] = await orm
      .select({ n: count() })
      .from(examinations)
      .where(and(by, inArray(examinations.status, [...ACTIVE])))
    return row?.n ?? 0
  },

  unfinished: (): Promise<ExaminationRow[]> =>
    db
      .select()
      .from(examinations)
      .where(inArray(examinations.status, [...ACTIVE])),

  /** Queued or (after a crash) running → running. Undefined where the job's turn is over. */
  async begin(artifactId: string, jobId: string): Promise<ExaminationRow | undefined> {
    const [row] = await db.update(examinations).set({ status: 'running' }).where(ofJob(artifactId, jobId)).returning()
    return row
  },

  /** Keeps the audit of a running examination. Answers its verdict and the one before; undefined where its turn is over. */
  async keepAudit(tx: Orm, artifactId: string, jobId: string, audit: LeakAudit, nowMs: number) {
    const [before] = await tx.select().from(examinations).where(ofJob(artifactId, jobId)).for('update')
    if (before === undefined) return undefined
    const verdict = leakVerdict(audit)
    await tx
      .update(examinations)
      .set({ audit, verdict, examinedAtMs: nowMs })
      .where(eq(examinations.artifactId, artifactId))
    return { verdict, before: before.verdict }
  },

  /** Running → completed. */
  async complete(artifactId: string, jobId: string, importance: FeatureImportance | null, nowMs: number) {
    await db
      .update(examinations)
      .set({ status: 'completed', importance, error: null, finishedAtMs: nowMs })
      .where(ofJob(artifactId, jobId))
  },

  /** Queued or running → failed; what an earlier one found stays. */
  async fail(artifactId: string, jobId: string, error: string, nowMs: number): Promise<void> {
    await db.update(examinations).set({ status: 'failed', error, finishedAtMs: nowMs }).where(ofJob(artifactId, jobId))
  },
})
export type ExaminationStore = ReturnType<typeof createExaminationStore>

const ofJob = (artifactId: string, jobId: string) =>
  and(eq(examinations.artifactId, artifactId), eq(examinations.jobId, jobId), inArray(examinations.status, [...ACTIVE]))
