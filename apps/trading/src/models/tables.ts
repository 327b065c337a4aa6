import type { ArtifactComparison, ModelArtifact } from '@shapecast/contracts/ml'
import type { NetworkName } from '@shapecast/contracts/networks'
import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { jobs } from '../ground/jobs/tables.ts'
import type { KeptOfUsers } from '../ground/kept-of-users.ts'
import { bytea, tradingSchema } from '../ground/trading-schema.ts'

/** A model version: a named recipe with a stage. */
export const models = tradingSchema.table('models', {
  version: text('version').primaryKey(),
  stage: text('stage', { enum: ['production', 'staging', 'archived'] }).notNull(),
  /** Null where the installation itself made it. */
  createdBy: uuid('created_by'),
  createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
})
export type ModelRow = typeof models.$inferSelect

/** What lists show of an artifact; kept beside the bytes so that a list never reads them. */
export type ArtifactSummary = Omit<
  ModelArtifact,
  'id' | 'origin' | 'venue' | 'symbol' | 'timeframe' | 'hash' | 'createdAt' | 'direction'
>

/** What one training of a version on one series made. At most one of a series is active: the one that predicts. */
export const artifacts = tradingSchema.table(
  'artifacts',
  {
    id: idColumn(),
    version: text('version')
      .notNull()
      .references(() => models.version),
    venue: text('venue').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    /** SHA-256 of the packed files, hexadecimal. */
    hash: text('hash').notNull(),
    shown: jsonb('shown').$type<ArtifactSummary>().notNull(),
    /** The whole model card, as the artifact itself carries it. */
    card: jsonb('card').notNull(),
    bytes: bytea('bytes').notNull(),
    origin: text('origin', { enum: ['trained', 'uploaded'] })
      .notNull()
      .default('trained'),
    /** Who uploaded it; null where it was trained here. */
    uploadedBy: uuid('uploaded_by'),
    active: boolean('active').notNull().default(false),
    /** How it stood against the one that was active before; null where there was none. */
    comparison: jsonb('comparison').$type<ArtifactComparison>(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    index('artifacts_by_uploader').on(t.uploadedBy, t.createdAtMs.desc()).where(sql`${t.uploadedBy} is not null`),
    index('artifacts_by_series').on(t.version, t.venue, t.symbol, t.timeframe, t.createdAtMs.desc()),
    uniqueIndex('artifacts_one_active').on(t.version, t.venue, t.symbol, t.timeframe).where(sql`${t.active}`),
  ],
)

/** Where a running training stands after its last whole epoch, by network; gone when the training is over. */
export const checkpoints = tradingSchema.table(
  'training_checkpoints',
  {
    trainingId: uuid('training_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    network: text('network').$type<NetworkName>().notNull(),
    state: bytea('state').notNull(),
  },
  (t) => [primaryKey({ name: 'training_checkpoints_key', columns: [t.trainingId, t.network] })],
)

export const UPLOADS_OF_USERS: KeptOfUsers = {
  uploadedModels: {
    table: artifacts,
    columns: 'id, version, venue, symbol, timeframe, hash, origin, created_at_ms',
    where: ({ userId }) => sql`uploaded_by = ${userId}`,
  },
}
