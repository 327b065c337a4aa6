import type { AccuracyReport } from '@shapecast/contracts/evaluation'
import type { Model, ModelArtifact, ModelStage } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { matching, matchingGiven } from '../ground/matching.ts'
import { type ArtifactHead, type ArtifactRow, artifactOf, FULL, SHOWN } from './artifact-rows.ts'
import { artifacts, models } from './tables.ts'
import { byStageThenNewest } from './versions.ts'

/** Of a version that has no trained artifact. */
export const NO_STATS = { accuracy: null, interval: null, baseline: null }

/**
 * Means over artifacts; one whose prices never moved on its hold-out has no accuracy. So is each end of the interval: by
 * the triangle inequality the deviation of a mean is at most the mean of the deviations, and as large where the errors of
 * the artifacts are the same.
 */
function holdoutStats(artifacts: readonly Pick<ModelArtifact, 'accuracy'>[]): Omit<Model['stats'], 'last_update'> {
  const reports = artifacts.flatMap(({ accuracy }) => (accuracy.outcomes > 0 ? [accuracy] : []))
  if (reports.length === 0) return NO_STATS
  const mean = (of: (report: AccuracyReport) => number) =>
    reports.reduce((sum, report) => sum + of(report), 0) / reports.length
  return {
    accuracy: mean(({ accuracy }) => accuracy),
    interval: [mean(({ interval }) => interval[0]), mean(({ interval }) => interval[1])],
    baseline: mean(({ majorityBaseline, reversalBaseline }) => Math.max(majorityBaseline, reversalBaseline)),
  }
}

/** Versions, with what predicts for each. */
const versionsOf = (db: NodePgDatabase, venue: string) => ({
  /** Every version with the active artifact of each of its series on this venue, sorted for showing. */
  async list(orm: Orm = db): Promise<Model[]> {
    const versions = await orm.select().from(models)
    const active = await orm
      .select(SHOWN)
      .from(artifacts)
      .where(and(eq(artifacts.venue, venue), artifacts.active))
      .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
    return versions
      .map((model): Model => {
        const own = active.filter((artifact) => artifact.version === model.version).map(artifactOf)
        return {
          version: model.version,
          stage: model.stage,
          stats: { ...holdoutStats(own), last_update: own[0]?.createdAt ?? null },
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
  /** The stage of a version and who made it, null for the installation itself; undefined if it is unknown. */
  async ownerOf(version: string, orm: Orm = db): Promise<{ stage: ModelStage; createdBy: string | null } | undefined> {
    const owned = { stage: models.stage, createdBy: models.createdBy }
    const [row] = await orm.select(owned).from(models).where(eq(models.version, version))
    return row
  },
  /** Moves a version to a stage and answers the one it had, or undefined if there is no such version. */
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
})

/** Few of many: bots ask for them at each close. */
const PREDICTING = {
  artifactId: artifacts.id,
  version: artifacts.version,
  hash: artifacts.hash,
  stage: models.stage,
  symbol: artifacts.symbol,
  timeframe: artifacts.timeframe,
  createdAt: artifacts.createdAtMs,
}

/** What predicts each series now, the one made last first. */
const predictingOf = (db: NodePgDatabase, venue: string) => {
  const onSeries = (symbol: string, timeframe: string) => matching(artifacts, { venue, symbol, timeframe })
  const isActive = (...where: (SQL | undefined)[]) => and(eq(artifacts.venue, venue), artifacts.active, ...where)
  const newestFirst = [desc(artifacts.createdAtMs), desc(artifacts.id)]
  const active = async (...where: (SQL | undefined)[]): Promise<ArtifactHead[]> =>
    db
      .select(SHOWN)
      .from(artifacts)
      .innerJoin(models, eq(models.version, artifacts.version))
      .where(isActive(...where))
      .orderBy(...newestFirst)
  return {
    /** The artifact of a version that predicts a series. */
    active: async (version: string, symbol: string, timeframe: string): Promise<ArtifactHead | undefined> =>
      (await active(eq(artifacts.version, version), onSeries(symbol, timeframe)))[0],

    /** The active artifacts of a series by stage of their versions. */
    activeOn: (symbol: string, timeframe: string, stages: readonly ModelStage[]): Promise<ArtifactHead[]> =>
      active(onSeries(symbol, timeframe), inArray(models.stage, [...stages])),

    /** What predicts each series now, by version; for choosing among many at once. */
    predicting: () =>
      db
        .select(PREDICTING)
        .from(artifacts)
        .innerJoin(models, eq(models.version, artifacts.version))
        .where(isActive())
        .orderBy(...newestFirst),

    /** The series that some version of these stages predicts. */
    async activeSeries(stages: readonly ModelStage[]): Promise<{ symbol: string; timeframe: Timeframe }[]> {
      const rows = await db
        .selectDistinct({ symbol: artifacts.symbol, timeframe: sql<Timeframe>`${artifacts.timeframe}` })
        .from(artifacts)
        .innerJoin(models, eq(models.version, artifacts.version))
        .where(isActive(inArray(models.stage, [...stages])))
      return rows
    },
  }
}

export const createModelStore = (db: NodePgDatabase, venue: string) => ({
  ...versionsOf(db, venue),
  ...predictingOf(db, venue),
  venue,
  /**
   * The newest `limit` artifacts of a version, or of those on one series, and all that predict, however old they are. The
   * newest first.
   */
  artifactsOf(
    version: string,
    { symbol, timeframe }: { symbol?: string | undefined; timeframe?: string | undefined },
    limit: number,
  ): Promise<ArtifactRow[]> {
    const wanted = matchingGiven(artifacts, { version, venue, symbol, timeframe })
    const newestFirst = [desc(artifacts.createdAtMs), desc(artifacts.id)]
    const newest = db
      .select({ id: artifacts.id })
      .from(artifacts)
      .where(wanted)
      .orderBy(...newestFirst)
      .limit(limit)
    return db
      .select(FULL)
      .from(artifacts)
      .where(and(wanted, or(artifacts.active, inArray(artifacts.id, newest))))
      .orderBy(...newestFirst)
  },
  async artifact(id: string, orm: Orm = db): Promise<ArtifactRow | undefined> {
    const [row] = await orm.select(FULL).from(artifacts).where(matching(artifacts, { id, venue }))
    return row
  },
  /** The cards of artifacts by id; those that are not there are left out. */
  async cardsOf(ids: readonly string[]): Promise<Map<string, unknown>> {
    const rows = await db
      .select({ id: artifacts.id, card: artifacts.card })
      .from(artifacts)
      .where(and(inArray(artifacts.id, [...ids]), eq(artifacts.venue, venue)))
    return new Map(rows.map(({ id, card }) => [id, card]))
  },
  /** The packed files of an artifact and the card beside them. */
  async stored(artifactId: string): Promise<{ bytes: Uint8Array; card: unknown } | undefined> {
    const [row] = await db
      .select({ bytes: artifacts.bytes, card: artifacts.card })
      .from(artifacts)
      .where(eq(artifacts.id, artifactId))
    return row
  },
})

export type ModelStore = ReturnType<typeof createModelStore>
/** An artifact that predicts. */
export type PredictingNow = Awaited<ReturnType<ModelStore['predicting']>>[number]
