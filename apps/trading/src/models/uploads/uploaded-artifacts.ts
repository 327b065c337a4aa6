import type { ArtifactComparison } from '@shapecast/contracts/ml'
import type { Orm } from '@shapecast/platform/database/database'
import { audit } from '@shapecast/platform/tables'
import { and, count, desc, eq, gte, sql } from 'drizzle-orm'
import { deleteOfKeys } from '../../ground/jobs/job-rows.ts'
import { holdOrMake, holdVersionOf, insertArtifact } from '../active-artifacts.ts'
import { artifactDetail } from '../artifact-detail.ts'
import { isOfSeries, SHOWN } from '../artifact-rows.ts'
import { IMPORTANCE } from '../importance/importance-kind.ts'
import type { ModelStore } from '../model-store.ts'
import { artifacts, models } from '../tables.ts'
import { anyTraining } from '../training-reads.ts'
import type { TriedUpload } from './try-upload.ts'

type HeldArtifact = Pick<typeof artifacts.$inferSelect, 'version' | 'symbol' | 'timeframe' | 'active'>

/** What else stands on a version, so that it stays. */
interface VersionUses {
  /** How many bots trade on it. */
  botsOn(version: string): Promise<number>
  /** Whether predictions of it are on record. */
  isOnRecord(version: string): Promise<boolean>
}

/** Artifacts as uploading and deleting them need them. */
export const createUploadedArtifacts = (store: ModelStore, { botsOn, isOnRecord }: VersionUses) => {
  const { venue } = store
  const inVenue = (id: string) => and(eq(artifacts.id, id), eq(artifacts.venue, venue))
  return {
    /** The version, made in staging where it is new, held until the transaction ends. */
    claim: (tx: Orm, version: string, createdBy: string, nowMs: number) =>
      holdOrMake(tx, { version, stage: 'staging', createdBy, createdAtMs: nowMs }),

    /** How many artifacts somebody has uploaded since, whether or not they are still there. */
    async uploadsSince(orm: Orm, userId: string, sinceMs: number): Promise<number> {
      const isUpload = and(eq(audit.actorId, userId), eq(audit.action, 'model.uploaded'))
      const [row] = await orm
        .select({ n: count() })
        .from(audit)
        .where(and(isUpload, gte(audit.at, new Date(sinceMs))))
      return row?.n ?? 0
    },

    async has(tx: Orm, version: string, symbol: string, timeframe: string, hash: string): Promise<boolean> {
      const rows = await tx
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(eq(artifacts.version, version), isOfSeries({ venue, symbol, timeframe }), eq(artifacts.hash, hash)))
        .limit(1)
      return rows.length > 0
    },

    /** An artifact and the stage of its version, which is held until the transaction ends; undefined if it is gone. */
    async held(tx: Orm, id: string) {
      if (!(await holdVersionOf(tx, id))) return undefined
      const [row] = await tx
        .select({ ...SHOWN, stage: models.stage })
        .from(artifacts)
        .innerJoin(models, eq(models.version, artifacts.version))
        .where(inVenue(id))
      return row
    },

    ownerOf: store.ownerOf,

    insert: (tx: Orm, upload: TriedUpload, nowMs: number, comparison: ArtifactComparison | null) =>
      insertArtifact(tx, upload, { userId: upload.uploadedBy, isManager: false }, nowMs, comparison),

    /** Of an artifact that the transaction has stored. */
    detail: async (tx: Orm, id: string) => artifactDetail((await store.artifact(id, tx))!),

    /**
     * Deletes an artifact that is held, with all that was worked out of it, and its version where nothing else is left of
     * that. Where it predicted, the newest other one of its series that waits for no promotion does from now on: its id,
     * null if there is none.
     */
    async remove(tx: Orm, id: string, { version, symbol, timeframe, active }: HeldArtifact): Promise<string | null> {
      await tx.delete(artifacts).where(eq(artifacts.id, id))
      await deleteOfKeys(tx, IMPORTANCE, [id])
      let predictsNow: string | null = null
      if (active) {
        const [next] = await tx
          .select({ id: artifacts.id })
          .from(artifacts)
          .where(
            and(
              eq(artifacts.version, version),
              isOfSeries({ venue, symbol, timeframe }),
              sql`${artifacts.comparison}->>'waits' is distinct from 'true'`,
            ),
          )
          .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
          .limit(1)
        if (next !== undefined) await tx.update(artifacts).set({ active: true }).where(eq(artifacts.id, next.id))
        predictsNow = next?.id ?? null
      }
      const others = await tx
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(eq(artifacts.version, version))
        .limit(1)
      const trained = await anyTraining(tx, { version })
      const isEmpty = others.length === 0 && !trained
      if (isEmpty && (await botsOn(version)) === 0 && !(await isOnRecord(version)))
        await tx.delete(models).where(eq(models.version, version))
      return predictsNow
    },
  }
}
export type UploadedArtifacts = ReturnType<typeof createUploadedArtifacts>
