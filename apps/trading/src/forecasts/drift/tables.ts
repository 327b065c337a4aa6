import { bigint, boolean, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../ground/trading-schema.ts'

/** What the live score of an artifact said, and what it looks at, when it was last looked at: one row an artifact. */
export const driftStates = tradingSchema.table('drift_states', {
  /** Of the artifacts table; goes with it. */
  artifactId: uuid('artifact_id').primaryKey(),
  decision: text('decision', { enum: ['unknown', 'holds', 'suspect', 'worse'] }).notNull(),
  /** Open time of the candle since when it is so, ms; null where nothing has changed. */
  sinceMs: bigint('since_ms', { mode: 'number' }),
  /** Whether its features drift; null where that is not known. */
  featuresDrift: boolean('features_drift'),
  /** Open time of the newest candle whose outcome was looked at, ms. */
  lastScoredMs: bigint('last_scored_ms', { mode: 'number' }).notNull(),
})
export type DriftStateRow = typeof driftStates.$inferSelect
