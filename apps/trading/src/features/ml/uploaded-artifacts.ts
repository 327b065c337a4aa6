import type { ModelStage } from '@shapecast/contracts/ml'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, desc, eq, gte } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { isOfSeries } from './model-store.ts'
import { artifacts, models, trainings } from './tables.ts'

const OWNED = { stage: models.stage, createdBy: models.createdBy }

/** Artifacts as uploading and deleting them need them. */
export const createUploadedArtifacts = (db: NodePgDatabase, venue: string) => ({
  async ownerOf(version: string): Promise<{ stage: ModelStage; createdBy: string | null } | undefined> {
    const [row] = await db.select(OWNED).from(models).where(eq(models.version, version))
    return row
  },

  /** The version, made in staging where it is new, held until the transaction ends. */
  async claim(tx: Orm, version: string, createdBy: string, nowMs: number) {
    await tx.insert(models).values({ version, stage: 'staging', createdBy, createdAtMs: nowMs }).onConflictDoNothing()
    const [row] = await tx.select(OWNED).from(models).where(eq(models.version, version)).for('update')
    return row!
  },

  /** How many artifacts somebody has uploaded since. */
  async uploadsSince(userId: string, sinceMs: number): Promise<number> {
    const [row] = await db
      .select({ n: count() })
      .from(artifacts)
      .where(and(eq(artifacts.uploadedBy, userId), gte(artifacts.createdAtMs, sinceMs)))
    return row?.n ?? 0
  },

  async has(version: string, symbol: string, timeframe: string, hash: string): Promise<boolean> {
    const rows = await db
      .select({ id: artifacts.id })
      .from(artifacts)
      .where(and(eq(artifacts.version, version), isOfSeries({ venue, symbol, timeframe }), eq(artifacts.hash, hash)))
      .limit(1)
    return rows.length > 0
  },

  async kept(id: string) {
    const [row] = await db
      .select({
        version: artifacts.version,
        symbol: artifacts.symbol,
        timeframe: artifacts.timeframe,
        hash: artifacts.hash,
        origin: artifacts.origin,
        active: artifacts.active,
        uploadedBy: artifacts.uploadedBy,
      })
      .from(artifacts)
      .where(and(eq(artifacts.id, id), eq(artifacts.venue, venue)))
    return row
  },

  /**
   * Deletes an artifact; where it predicted, the newest other one of its series does from now on. Answers whether its
   * version has another, or a training, on any venue.
   */
  async delete(tx: Orm, id: string): Promise<{ version: string; isEmpty: boolean } | undefined> {
    const [gone] = await tx.delete(artifacts).where(eq(artifacts.id, id)).returning({
      version: artifacts.version,
      symbol: artifacts.symbol,
      timeframe: artifacts.timeframe,
      active: artifacts.active,
    })
    if (gone === undefined) return undefined
    const { version, symbol, timeframe } = gone
    if (gone.active) {
      const [next] = await tx
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(eq(artifacts.version, version), isOfSeries({ venue, symbol, timeframe })))
        .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
        .limit(1)
      if (next !== undefined) await tx.update(artifacts).set({ active: true }).where(eq(artifacts.id, next.id))
    }
    const others = await tx.select({ id: artifacts.id }).from(artifacts).where(eq(artifacts.version, version)).limit(1)
    const trained = await tx.select({ id: trainings.id }).from(trainings).where(eq(trainings.version, version)).limit(1)
    return { version, isEmpty: others.length + trained.length === 0 }
  },

  async dropVersion(tx: Orm, version: string): Promise<void> {
    await tx.delete(models).where(eq(models.version, version))
  },
})
export type UploadedArtifacts = ReturnType<typeof createUploadedArtifacts>
