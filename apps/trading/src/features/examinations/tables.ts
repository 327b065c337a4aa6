import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { LeakAudit } from '@shapecast/contracts/leak-audit'
import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../trading-schema.ts'

/** The examination of an artifact: the last one asked for, and what the last one that ended has found. */
export const examinations = tradingSchema.table(
  'examinations',
  {
    /** Of the artifacts table; goes with it. */
    artifactId: uuid('artifact_id').primaryKey(),
    status: text('status', { enum: ['queued', 'running', 'completed', 'failed'] }).notNull(),
    /** The job of the queue that carries it out. */
    jobId: uuid('job_id').notNull(),
    /** Null where the installation itself asked. */
    requestedBy: uuid('requested_by'),
    verdict: text('verdict', { enum: ['passed', 'failed', 'unknown'] })
      .notNull()
      .default('unknown'),
    audit: jsonb('audit').$type<LeakAudit>(),
    importance: jsonb('importance').$type<FeatureImportance>(),
    error: text('error'),
    requestedAtMs: bigint('requested_at_ms', { mode: 'number' }).notNull(),
    examinedAtMs: bigint('examined_at_ms', { mode: 'number' }),
    finishedAtMs: bigint('finished_at_ms', { mode: 'number' }),
  },
  (t) => [index('examinations_unfinished').on(t.requestedBy).where(sql`${t.status} in ('queued', 'running')`)],
)
export type ExaminationRow = typeof examinations.$inferSelect
