import type { Model, ModelArtifact, ModelStage } from '@shapecast/contracts/ml'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { artifacts, models } from './tables.ts'

/** The version that training asks for by default; the only one that starts in production. */
export const DEFAULT_VERSION = 'v3'

export interface Series {
  venue: string
  symbol: string
  timeframe: string
}

/** What the list of models shows of an artifact; kept beside the bytes so that a list never reads them. */
export type ArtifactCard = Omit<ModelArtifact, 'id' | 'venue' | 'symbol' | 'timeframe' | 'hash' | 'createdAt'>

export interface NewArtifact extends Series {
  version: string
  hash: string
  shown: ArtifactCard
  card: unknown
  bytes: Uint8Array
}

export interface ArtifactHead {
  id: string
  version: string
  hash: string
  shown: ArtifactCard
}

const STAGE_ORDER: Record<ModelStage, number> = { production: 0, staging: 1, archived: 2 }

/** Production, staging, archived; within a stage the newest `last_update` first; then by name. */
export const byStageThenNewest = (a: Model, b: Model): number =>
  STAGE_ORDER[a.stage] - STAGE_ORDER[b.stage] ||
  (b.stats.last_update ?? -1) - (a.stats.last_update ?? -1) ||
  a.version.localeCompare(b.version)

/** The version that is used where none is named: the production version that was trained last. */
export const currentOf = (sorted: readonly Model[]): string | null =>
  sorted.find((model) => model.stage === 'production' && model.artifacts.length > 0)?.version ?? null

export const createModelStore = (db: NodePgDatabase, venue: string) => ({
  /** Every version with the newest artifact of each of its series on this venue, sorted for showing. */
  async list(): Promise<Model[]> {
    const versions = await db.select().from(models)
    const newest = await db
      .selectDistinctOn([artifacts.version, artifacts.symbol, artifacts.timeframe], {
        id: artifacts.id,
        version: artifacts.version,
        symbol: artifacts.symbol,
        timeframe: artifacts.timeframe,
        hash: artifacts.hash,
        shown: artifacts.shown,
        createdAtMs: artifacts.createdAtMs,
      })
      .from(artifacts)
      .where(eq(artifacts.venue, venue))
      .orderBy(
        artifacts.version,
        artifacts.symbol,
        artifacts.timeframe,
        desc(artifacts.createdAtMs),
        desc(artifacts.id),
      )
    return versions
      .map((model): Model => {
        const own = newest
          .filter((artifact) => artifact.version === model.version)
          .sort((a, b) => b.createdAtMs - a.createdAtMs)
          .map(
            ({ version: _version, shown, createdAtMs, ...artifact }): ModelArtifact => ({
              ...artifact,
              timeframe: artifact.timeframe as ModelArtifact['timeframe'],
              ...shown,
              venue,
              createdAt: createdAtMs,
            }),
          )
        const accuracies = own.map((artifact) => artifact.accuracy.accuracy)
        return {
          version: model.version,
          stage: model.stage,
          stats: {
            accuracy: own.length === 0 ? null : accuracies.reduce((sum, a) => sum + a, 0) / own.length,
            last_update: own[0]?.createdAt ?? null,
          },
          artifacts: own,
        }
      })
      .sort(byStageThenNewest)
  },

  /** Those of `versions` that are not in the table. */
  async unknown(versions: string[]): Promise<string[]> {
    const known = await db.select({ version: models.version }).from(models).where(inArray(models.version, versions))
    return versions.filter((version) => !known.some((row) => row.version === version))
  },

  /** The newest artifact of a version on a series, without its bytes. */
  async newest(version: string, symbol: string, timeframe: string): Promise<ArtifactHead | undefined> {
    const [row] = await db
      .select({ id: artifacts.id, version: artifacts.version, hash: artifacts.hash, shown: artifacts.shown })
      .from(artifacts)
      .where(
        and(
          eq(artifacts.version, version),
          eq(artifacts.venue, venue),
          eq(artifacts.symbol, symbol),
          eq(artifacts.timeframe, timeframe),
        ),
      )
      .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
      .limit(1)
    return row
  },

  async bytesOf(artifactId: string): Promise<Uint8Array | undefined> {
    const [row] = await db.select({ bytes: artifacts.bytes }).from(artifacts).where(eq(artifacts.id, artifactId))
    return row?.bytes
  },
})
export type ModelStore = ReturnType<typeof createModelStore>

/**
 * Stores an artifact, and its version where it is new: v3, the default, starts in production, any other name in
 * staging, from where a manager promotes it. Answers the artifact's id.
 */
export async function insertArtifact(
  db: Pick<Orm, 'insert'>,
  artifact: NewArtifact,
  createdBy: string | null,
  nowMs: number,
): Promise<string> {
  await db
    .insert(models)
    .values({
      version: artifact.version,
      stage: artifact.version === DEFAULT_VERSION ? 'production' : 'staging',
      createdBy,
      createdAtMs: nowMs,
    })
    .onConflictDoNothing()
  const [row] = await db
    .insert(artifacts)
    .values({
      version: artifact.version,
      venue: artifact.venue,
      symbol: artifact.symbol,
      timeframe: artifact.timeframe,
      hash: artifact.hash,
      shown: artifact.shown,
      card: artifact.card,
      bytes: Buffer.from(artifact.bytes.buffer, artifact.bytes.byteOffset, artifact.bytes.byteLength),
      createdAtMs: nowMs,
    })
    .returning({ id: artifacts.id })
  return row!.id
}
