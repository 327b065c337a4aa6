import { AppError } from '@shapecast/contracts/errors'
import type { LeakVerdict } from '@shapecast/contracts/leak-audit'
import type { ArtifactComparison, Model, ModelArtifact, ModelStage } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { ModelOrigin } from '@shapecast/contracts/uploaded-model'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
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
export type ArtifactCard = Omit<
  ModelArtifact,
  'id' | 'origin' | 'venue' | 'symbol' | 'timeframe' | 'hash' | 'leak' | 'createdAt'
>

export interface NewArtifact extends Series {
  version: string
  /** Who uploaded it; left out where it was trained here. */
  uploadedBy?: string
  hash: string
  shown: ArtifactCard
  card: unknown
  bytes: Uint8Array
}

export interface ArtifactHead {
  id: string
  version: string
  hash: string
  origin: ModelOrigin
  shown: ArtifactCard
}

const HEAD = {
  id: artifacts.id,
  version: artifacts.version,
  hash: artifacts.hash,
  origin: artifacts.origin,
  shown: artifacts.shown,
}

const SHOWN = {
  id: artifacts.id,
  version: artifacts.version,
  origin: artifacts.origin,
  venue: artifacts.venue,
  symbol: artifacts.symbol,
  timeframe: artifacts.timeframe,
  hash: artifacts.hash,
  shown: artifacts.shown,
  leak: artifacts.leak,
  createdAtMs: artifacts.createdAtMs,
}
type ShownRow = Pick<typeof artifacts.$inferSelect, keyof typeof SHOWN>

export const artifactOf = ({ version: _version, shown, leak, createdAtMs, ...artifact }: ShownRow): ModelArtifact => ({
  ...artifact,
  timeframe: artifact.timeframe as ModelArtifact['timeframe'],
  ...shown,
  leak: leak ?? 'unknown',
  createdAt: createdAtMs,
})

/** An artifact with its card and its standing, without its bytes. */
const FULL = {
  ...SHOWN,
  card: artifacts.card,
  active: artifacts.active,
  comparison: artifacts.comparison,
  uploadedBy: artifacts.uploadedBy,
}
export type ArtifactRow = Pick<typeof artifacts.$inferSelect, keyof typeof FULL>

const STAGE_ORDER: Record<ModelStage, number> = { production: 0, staging: 1, archived: 2 }

/** Production, staging, archived; within a stage the newest `last_update` first; then by name. */
export const byStageThenNewest = (a: Model, b: Model): number =>
  STAGE_ORDER[a.stage] - STAGE_ORDER[b.stage] ||
  (b.stats.last_update ?? -1) - (a.stats.last_update ?? -1) ||
  a.version.localeCompare(b.version)

/** The version that is used where none is named: the production version that was trained last. */
export const currentOf = (sorted: readonly Model[]): string | null =>
  sorted.find((model) => model.stage === 'production' && model.artifacts.length > 0)?.version ?? null

/** Artifacts of one series, whatever their version. */
export const isOfSeries = ({ venue, symbol, timeframe }: Series) =>
  and(eq(artifacts.venue, venue), eq(artifacts.symbol, symbol), eq(artifacts.timeframe, timeframe))

const lockVersion = (tx: Orm, version: string) =>
  tx.select().from(models).where(eq(models.version, version)).for('update')

/**
 * Holds an artifact's version until the transaction ends; false where the artifact was deleted. Whoever changes artifacts
 * takes this first: what they read then stays so, and two of them do not wait for each other.
 */
export async function holdVersionOf(tx: Orm, artifactId: string): Promise<boolean> {
  const find = () => tx.select({ version: artifacts.version }).from(artifacts).where(eq(artifacts.id, artifactId))
  const [row] = await find()
  if (row === undefined) return false
  await lockVersion(tx, row.version)
  return (await find()).length > 0
}

export const createModelStore = (db: NodePgDatabase, venue: string) => {
  const onSeries = (symbol: string, timeframe: string) => isOfSeries({ venue, symbol, timeframe })
  return {
    /** Every version with the active artifact of each of its series on this venue, sorted for showing. */
    async list(): Promise<Model[]> {
      const versions = await db.select().from(models)
      const active = await db
        .select(SHOWN)
        .from(artifacts)
        .where(and(eq(artifacts.venue, venue), artifacts.active))
        .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
      return versions
        .map((model): Model => {
          const own = active.filter((artifact) => artifact.version === model.version).map(artifactOf)
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

    async stageOf(version: string): Promise<ModelStage | undefined> {
      const [row] = await db.select({ stage: models.stage }).from(models).where(eq(models.version, version))
      return row?.stage
    },

    /** The artifact of a version that predicts a series, without its bytes. */
    async active(version: string, symbol: string, timeframe: string): Promise<ArtifactHead | undefined> {
      const [row] = await db
        .select(HEAD)
        .from(artifacts)
        .where(and(eq(artifacts.version, version), onSeries(symbol, timeframe), artifacts.active))
      return row
    },

    /** The active artifacts of a series by stage of their versions, the one made last first. */
    activeOn: (symbol: string, timeframe: string, stages: readonly ModelStage[]): Promise<ArtifactHead[]> =>
      db
        .select(HEAD)
        .from(artifacts)
        .innerJoin(models, eq(models.version, artifacts.version))
        .where(and(onSeries(symbol, timeframe), artifacts.active, inArray(models.stage, [...stages])))
        .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id)),

    /** The series that some version of these stages predicts. */
    async activeSeries(stages: readonly ModelStage[]): Promise<{ symbol: string; timeframe: Timeframe }[]> {
      const rows = await db
        .selectDistinct({ symbol: artifacts.symbol, timeframe: artifacts.timeframe })
        .from(artifacts)
        .innerJoin(models, eq(models.version, artifacts.version))
        .where(and(eq(artifacts.venue, venue), artifacts.active, inArray(models.stage, [...stages])))
      return rows.map(({ symbol, timeframe }) => ({ symbol, timeframe: timeframe as Timeframe }))
    },

    /** All artifacts of a version, or those of one series, the newest first; at most `limit`. */
    artifactsOf: (
      version: string,
      series: { symbol?: string | undefined; timeframe?: string | undefined },
      limit: number,
    ): Promise<ArtifactRow[]> =>
      db
        .select(FULL)
        .from(artifacts)
        .where(
          and(
            eq(artifacts.version, version),
            eq(artifacts.venue, venue),
            series.symbol === undefined ? undefined : eq(artifacts.symbol, series.symbol),
            series.timeframe === undefined ? undefined : eq(artifacts.timeframe, series.timeframe),
          ),
        )
        .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
        .limit(limit),

    async artifact(id: string): Promise<ArtifactRow | undefined> {
      const [row] = await db
        .select(FULL)
        .from(artifacts)
        .where(and(eq(artifacts.id, id), eq(artifacts.venue, venue)))
      return row
    },

    /** Moves a version to a stage and answers the one it had; undefined where there is no such version. */
    async setStage(tx: Orm, version: string, stage: ModelStage): Promise<ModelStage | undefined> {
      const [before] = await tx
        .select({ stage: models.stage })
        .from(models)
        .where(eq(models.version, version))
        .for('update')
      if (before === undefined) return undefined
      await tx.update(models).set({ stage }).where(eq(models.version, version))
      return before.stage
    },

    holdVersionOf,

    /**
     * Makes an artifact the active one of its series; answers the one that was it before, if another. Throws `not_found`
     * where it was deleted meanwhile.
     */
    async activate(tx: Orm, artifact: Series & { id: string; version: string }): Promise<string | null> {
      if (!(await holdVersionOf(tx, artifact.id))) throw new AppError('not_found', 'This model was deleted meanwhile.')
      const [before] = await tx
        .update(artifacts)
        .set({ active: false })
        .where(
          and(
            eq(artifacts.version, artifact.version),
            onSeries(artifact.symbol, artifact.timeframe),
            artifacts.active,
            ne(artifacts.id, artifact.id),
          ),
        )
        .returning({ id: artifacts.id })
      await tx.update(artifacts).set({ active: true }).where(eq(artifacts.id, artifact.id))
      return before?.id ?? null
    },

    /** Artifacts that no examination was ever asked for, the newest first. */
    async unexamined(limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: artifacts.id })
        .from(artifacts)
        .where(and(eq(artifacts.venue, venue), isNull(artifacts.leak)))
        .orderBy(desc(artifacts.createdAtMs))
        .limit(limit)
      return rows.map(({ id }) => id)
    },

    /**
     * Where an artifact predicts because its comparison found it no worse, lets the one before it predict again, unless
     * that leaks too. Answers the id of the one that predicts now; null where nothing changed. Its version is to be held.
     */
    async handBack(tx: Orm, artifactId: string): Promise<string | null> {
      const [row] = await tx.select(FULL).from(artifacts).where(eq(artifacts.id, artifactId))
      if (row?.active !== true || row.comparison?.noWorse !== true) return null
      const [before] = await tx.select(FULL).from(artifacts).where(eq(artifacts.id, row.comparison.againstId))
      if (before === undefined || before.leak === 'failed') return null
      await this.activate(tx, before)
      return before.id
    },

    /** Writes down what an examination found; null where one is only asked for, which leaves an earlier verdict. */
    async setLeak(tx: Orm, artifactId: string, verdict: LeakVerdict | null): Promise<void> {
      const asked = sql`coalesce(${artifacts.leak}, 'unknown')`
      await tx
        .update(artifacts)
        .set({ leak: verdict ?? asked })
        .where(eq(artifacts.id, artifactId))
    },

    /** The packed files of an artifact and the card beside them. */
    async stored(artifactId: string): Promise<{ bytes: Uint8Array; card: unknown } | undefined> {
      const [row] = await db
        .select({ bytes: artifacts.bytes, card: artifacts.card })
        .from(artifacts)
        .where(eq(artifacts.id, artifactId))
      return row
    },

    async bytesOf(artifactId: string): Promise<Uint8Array | undefined> {
      const [row] = await db.select({ bytes: artifacts.bytes }).from(artifacts).where(eq(artifacts.id, artifactId))
      return row?.bytes
    },
  }
}
export type ModelStore = ReturnType<typeof createModelStore>

/**
 * Stores an artifact, and its version where it is new: v3, the default, starts in production where it was trained here, any
 * other in staging, from where a manager promotes it. It predicts from now on where it is the first of its series, or where
 * `comparison` found it no worse than the one that is active still. Answers its id.
 */
export async function insertArtifact(
  db: Orm,
  artifact: NewArtifact,
  createdBy: string | null,
  nowMs: number,
  comparison: ArtifactComparison | null = null,
): Promise<string> {
  const { version, venue, symbol, timeframe } = artifact
  await db
    .insert(models)
    .values({
      version,
      stage: version === DEFAULT_VERSION && artifact.uploadedBy === undefined ? 'production' : 'staging',
      createdBy,
      createdAtMs: nowMs,
    })
    .onConflictDoNothing()
  // One at a time a version, so that two artifacts do not both find themselves the first.
  await lockVersion(db, version)
  const [active] = await db
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(and(eq(artifacts.version, version), isOfSeries(artifact), artifacts.active))
  const takesOver = active === undefined || (comparison?.noWorse === true && comparison.againstId === active.id)
  if (active !== undefined && takesOver)
    await db.update(artifacts).set({ active: false }).where(eq(artifacts.id, active.id))
  const [row] = await db
    .insert(artifacts)
    .values({
      version,
      venue,
      symbol,
      timeframe,
      hash: artifact.hash,
      shown: artifact.shown,
      card: artifact.card,
      bytes: Buffer.from(artifact.bytes.buffer, artifact.bytes.byteOffset, artifact.bytes.byteLength),
      origin: artifact.uploadedBy === undefined ? 'trained' : 'uploaded',
      uploadedBy: artifact.uploadedBy ?? null,
      active: takesOver,
      comparison,
      createdAtMs: nowMs,
    })
    .returning({ id: artifacts.id })
  return row!.id
}
