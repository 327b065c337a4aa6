import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactDetail, BotsOnModel, Model, ModelStage } from '@shapecast/contracts/ml'
import type { ModelComparison } from '@shapecast/contracts/model-comparison'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { artifactDetail } from './artifact-detail.ts'
import type { ArtifactRow } from './artifact-rows.ts'
import { compareModels } from './compare-models.ts'
import type { JudgeDeps } from './judge-artifact.ts'
import type { PredictingNow } from './model-store.ts'
import type { Predictors } from './predictors.ts'
import { replaced, type Traders } from './traders.ts'
import { currentOf, noModel, recordModelActivity, requireRight } from './versions.ts'

const ARTIFACTS_SHOWN = 50

export interface ModelServiceDeps extends JudgeDeps {
  db: Database
  predictors: Pick<Predictors, 'use' | 'find'>
  traders: Traders
  now(): number
}

/** Versions and artifacts that have to be there. */
const lookupsOf = (deps: ModelServiceDeps) => {
  const { store } = deps

  const artifact = async (id: string): Promise<ArtifactRow> => {
    const row = await store.artifact(id)
    if (row === undefined) throw new AppError('not_found', 'There is no such trained model.')
    return row
  }

  const one = async (version: string, orm?: Orm): Promise<Model> => {
    const model = (await store.list(orm)).find((candidate) => candidate.version === version)
    if (model === undefined) throw noModel(version)
    return model
  }
  return { artifact, one }
}

/** Which version speaks, and for what. */
const speakingOf = (deps: ModelServiceDeps) => {
  const { store } = deps

  /**
   * The version that predicts a series where none is named: the current one where it is trained there, else the
   * production version trained there last. Throws `model_not_trained` if there is none.
   */
  async function currentOn(symbol: string, timeframe: string): Promise<string> {
    const [newest, ...others] = await store.activeOn(symbol, timeframe, ['production'])
    if (newest === undefined)
      throw new AppError(
        'model_not_trained',
        `No production model is trained on ${symbol} ${timeframe}. Train one on that series, or name a version that is.`,
      )
    if (others.length === 0) return newest.version
    const current = currentOf(await store.list())
    return others.find((head) => head.version === current)?.version ?? newest.version
  }
  return {
    currentOn,
    /**
     * The artifact that predicts a series for a version, or for the current one (null). Throws `model_not_trained` where
     * there is none.
     */
    async predictingOn(version: string | null, symbol: string, timeframe: string) {
      const named = version ?? (await currentOn(symbol, timeframe))
      return { version: named, ...(await deps.predictors.find(named, symbol, timeframe)) }
    },
    /** What predicts now: for a version, or for the current one (null), on each series that is asked about; asked at once. */
    async predicting(): Promise<
      (version: string | null, symbol: string, timeframe: string) => PredictingNow | undefined
    > {
      const all = await store.predicting()
      const current = all.find(({ stage }) => stage === 'production')?.version
      return (version, symbol, timeframe) => {
        const there = all.filter((one) => one.symbol === symbol && one.timeframe === timeframe)
        if (version !== null) return there.find((one) => one.version === version)
        const inProduction = there.filter(({ stage }) => stage === 'production')
        return inProduction.find((one) => one.version === current) ?? inProduction[0]
      }
    },
    /** Throws `not_found` if there is no such version. */
    async requireVersion(version: string): Promise<void> {
      if ((await store.ownerOf(version)) === undefined) throw noModel(version)
    },
  }
}

/** What people change of models, on record. */
const changesOf = (deps: ModelServiceDeps, { artifact, one }: ReturnType<typeof lookupsOf>) => {
  const { db, store } = deps
  return {
    /**
     * Moves a version to a stage, on record with the figures that it had. Throws `not_found`, and `model_not_trained`
     * for production without a single trained artifact.
     */
    async setStage(version: string, stage: ModelStage, doer: Member, bots: 'keep' | 'pause' = 'keep'): Promise<Model> {
      const was = (await store.ownerOf(version))?.stage
      await db.orm.transaction(async (tx) => {
        // Held from here on: what is known of its artifacts stays so, even if one is being deleted.
        const before = await store.setStage(tx, version, stage)
        const model = await one(version, tx)
        if (stage === 'production' && model.artifacts.length === 0)
          throw new AppError(
            'model_not_trained',
            `${version} is not trained yet, so it cannot go to production. Train it.`,
          )
        if (before === stage) return
        await recordAudit(tx, doer, {
          action: 'model.stage_changed',
          subject: { type: 'model', id: version },
          before: { stage: before },
          after: {
            stage,
            evidence: model.artifacts.map(({ symbol, timeframe, hash, accuracy }) => ({
              symbol,
              timeframe,
              hash,
              accuracy: accuracy.accuracy,
              interval: accuracy.interval,
              verdict: accuracy.verdict,
            })),
          },
        })
        await recordModelActivity(tx, 'model.stage_changed', doer.userId, version, stage)
      })
      if (was === 'production' && stage !== 'production')
        await deps.traders.afterDemotion({ version, bots, doer, nowMs: deps.now() })
      return one(version)
    },
    /**
     * Lets an artifact predict for its version and series, on record. Throws `not_found`, and
     * `forbidden` for users that neither manage nor own the version, which a production one is nobody's to own.
     */
    async promote(id: string, doer: Member): Promise<ArtifactDetail> {
      const row = await artifact(id)
      await db.orm.transaction(async (tx) => {
        const before = await store.activate(tx, row)
        const owned = await store.ownerOf(row.version, tx)
        requireRight(owned, doer, 'promote')
        if (before === undefined) return
        await recordAudit(tx, doer, {
          action: 'model.artifact_promoted',
          subject: { type: 'model', id: row.version },
          before: { artifactId: before },
          after: { artifactId: id, hash: row.hash, comparison: row.comparison?.verdict ?? null },
        })
        await recordModelActivity(tx, 'model.promoted', doer.userId, row.version, `${row.symbol} ${row.timeframe}`)
        await deps.traders.tell(tx, replaced(row.version, `${row.symbol} ${row.timeframe}`, doer.userId), deps.now())
      })
      return artifactDetail(await artifact(id))
    },
  }
}

/** What the models say of themselves, and which of them speak. */
export const createModelService = (deps: ModelServiceDeps) => {
  const shared = lookupsOf(deps)
  const { artifact, one } = shared
  const { store } = deps
  return {
    ...speakingOf(deps),
    ...changesOf(deps, shared),
    async list(): Promise<{ models: Model[]; current: string | null }> {
      const models = await store.list()
      return { models, current: currentOf(models) }
    },
    /** Healthy while a production version is trained. The figures are the current version's. */
    async health(): Promise<{ healthy: boolean; stats: Omit<Model['stats'], 'last_update'> }> {
      const models = await store.list()
      const current = models.find((model) => model.version === currentOf(models))
      if (current === undefined) return { healthy: false, stats: { accuracy: null, interval: null, baseline: null } }
      return { healthy: true, stats: current.stats }
    },
    /** A version with all its artifacts, the newest first, and what is known of each. Throws `not_found`. */
    async detail(
      version: string,
      series: { symbol?: string | undefined; timeframe?: string | undefined },
    ): Promise<Model & { artifacts: ArtifactDetail[]; owner: string | null }> {
      const model = await one(version)
      const rows = await store.artifactsOf(version, series, ARTIFACTS_SHOWN)
      const owned = await store.ownerOf(version)
      return { ...model, artifacts: rows.map(artifactDetail), owner: owned?.createdBy ?? null }
    },
    /** The card as a file: its name and its text. Throws `not_found`. */
    async card(id: string): Promise<{ name: string; content: string }> {
      const { version, symbol, timeframe, hash, card } = await artifact(id)
      const name = `card-${version}-${symbol}-${timeframe}-${hash.slice(0, 12)}.json`
      return { name, content: `${JSON.stringify(card, null, 2)}\n` }
    },
    compare: (wanted: { versions: string[]; symbol: string; timeframe: Timeframe }): Promise<ModelComparison> =>
      compareModels(deps, wanted),
    /** The bots that trade on a version, as this person may see them. */
    botsOn: (version: string, viewer: Member): Promise<BotsOnModel> => deps.traders.botsOn(version, viewer),
  }
}

export type ModelService = ReturnType<typeof createModelService>
