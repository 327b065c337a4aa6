import type { FeatureImportance } from '@shapecast/contracts/importance'
import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../ground/trading-schema.ts'

/** What an artifact looks at: the last measuring asked for, and what the last one that ended has found. */
export const importances = tradingSchema.table(
  'importances',
  {
    /** Of the artifacts table; goes with it. */
    artifactId: uuid('artifact_id').primaryKey(),
    status: text('status', { enum: ['queued', 'running', 'completed', 'failed'] }).notNull(),
    /** The job of the queue that carries it out. */
    jobId: uuid('job_id').notNull(),
    requestedBy: uuid('requested_by').notNull(),
    importance: jsonb('importance').$type<FeatureImportance>(),
    error: text('error'),
    requestedAtMs: bigint('requested_at_ms', { mode: 'number' }).notNull(),
    finishedAtMs: bigint('finished_at_ms', { mode: 'number' }),
  },
  (t) => [index('importances_unfinished').on(t.requestedBy).where(sql`${t.status} in ('queued', 'running')`)],
)
export type ImportanceRow = typeof importances.$inferSelect
