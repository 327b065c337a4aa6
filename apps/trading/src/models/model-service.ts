import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactDetail, BotsOnModel, Model, ModelStage } from '@shapecast/contracts/ml'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { bound } from '../ground/bound.ts'
import { activate } from './active-artifacts.ts'
import { artifactDetail } from './artifact-detail.ts'
import type { ArtifactRow } from './artifact-rows.ts'
import { compareModels } from './compare-models.ts'
import type { JudgeDeps } from './judge-artifact.ts'
import { NO_STATS, type PredictingNow } from './model-store.ts'
import type { Predictors } from './predictors.ts'
import { replaced, type Traders } from './traders.ts'
import { auditModel, currentOf, noModel, recordModelActivity, requireRight } from './versions.ts'

const ARTIFACTS_SHOWN = 50

export interface ModelServiceDeps extends JudgeDeps {
  db: Database
  predictors: Pick<Predictors, 'use' | 'find'>
  traders: Traders
  now(): number
}

async function artifactBy({ store }: ModelServiceDeps, id: string): Promise<ArtifactRow> {
  const row = await store.artifact(id)
  if (row === undefined) throw new AppError('not_found', 'There is no such trained model.')
  return row
}

async function modelBy({ store }: ModelServiceDeps, version: string, orm?: Orm): Promise<Model> {
  const model = (await store.list(orm)).find((candidate) => candidate.version === version)
  if (model === undefined) throw noModel(version)
  return model
}

/**
 * The version that predicts a series where none is named: the current one where it is trained there, else the
 * production version trained there last. Throws `model_not_trained` if there is none.
 */
async function currentOn({ store }: ModelServiceDeps, symbol: string, timeframe: string): Promise<string> {
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

/**
 * The artifact that predicts a series for a version, or for the current one (null). Throws `model_not_trained` where
 * there is none.
 */
async function predictingOn(deps: ModelServiceDeps, version: string | null, symbol: string, timeframe: string) {
  const named = version ?? (await currentOn(deps, symbol, timeframe))
  return { version: named, ...(await deps.predictors.find(named, symbol, timeframe)) }
}

/** What predicts now: for a version, or for the current one (null), on each series that is asked about; asked at once. */
async function predicting({ store }: ModelServiceDeps) {
  const all = await store.predicting()
  const current = all.find(({ stage }) => stage === 'production')?.version
  return (version: string | null, symbol: string, timeframe: string): PredictingNow | undefined => {
    const there = all.filter((one) => one.symbol === symbol && one.timeframe === timeframe)
    if (version !== null) return there.find((one) => one.version === version)
    const inProduction = there.filter(({ stage }) => stage === 'production')
    return inProduction.find((one) => one.version === current) ?? inProduction[0]
  }
}

/** Throws `not_found` if there is no such version. */
async function requireVersion({ store }: ModelServiceDeps, version: string): Promise<void> {
  if ((await store.ownerOf(version)) === undefined) throw noModel(version)
}

/**
 * Moves a version to a stage, on record with the figures that it had. Throws `not_found`, and `model_not_trained`
 * for production without a single trained artifact.
 */
async function setStage(
  deps: ModelServiceDeps,
  version: string,
  stage: ModelStage,
  doer: Member,
  bots: 'keep' | 'pause' = 'keep',
): Promise<Model> {
  const { db, store, traders, now } = deps
  const was = (await store.ownerOf(version))?.stage
  await db.orm.transaction(async (tx) => {
    // Held from here on: what is known of its artifacts stays so, even if one is being deleted.
    const before = await store.setStage(tx, version, stage)
    const model = await modelBy(deps, version, tx)
    if (stage === 'production' && model.artifacts.length === 0)
      throw new AppError('model_not_trained', `${version} is not trained yet, so it cannot go to production. Train it.`)
    if (before === stage) return
    const evidence = model.artifacts.map(({ symbol, timeframe, hash, accuracy: report }) => {
      const { accuracy, interval, verdict } = report
      return { symbol, timeframe, hash, accuracy, interval, verdict }
    })
    await auditModel(tx, doer, 'model.stage_changed', version, {
      before: { stage: before },
      after: { stage, evidence },
    })
    await recordModelActivity(tx, 'model.stage_changed', doer.userId, version, stage)
  })
  if (was === 'production' && stage !== 'production') await traders.afterDemotion({ version, bots, doer, nowMs: now() })
  return modelBy(deps, version)
}

/**
 * Lets an artifact predict for its version and series, on record. Throws `not_found`, and
 * `forbidden` for users that neither manage nor own the version, which a production one is nobody's to own.
 */
async function promote(deps: ModelServiceDeps, id: string, doer: Member): Promise<ArtifactDetail> {
  const { db, store, traders, now } = deps
  const row = await artifactBy(deps, id)
  const { version, hash, comparison } = row
  const series = `${row.symbol} ${row.timeframe}`
  await db.orm.transaction(async (tx) => {
    const before = await activate(tx, row)
    requireRight(await store.ownerOf(version, tx), doer, 'promote')
    if (before === undefined) return
    await auditModel(tx, doer, 'model.artifact_promoted', version, {
      before: { artifactId: before },
      after: { artifactId: id, hash, comparison: comparison?.verdict ?? null },
    })
    await recordModelActivity(tx, 'model.promoted', doer.userId, version, series)
    await traders.tell(tx, replaced(version, series, doer.userId), now())
  })
  return artifactDetail(await artifactBy(deps, id))
}

async function list({ store }: ModelServiceDeps): Promise<{ models: Model[]; current: string | null }> {
  const models = await store.list()
  return { models, current: currentOf(models) }
}

/** Healthy while a production version is trained. The figures are the current version's. */
async function health(
  deps: ModelServiceDeps,
): Promise<{ healthy: boolean; stats: Omit<Model['stats'], 'last_update'> }> {
  const { models, current } = await list(deps)
  const stats = models.find(({ version }) => version === current)?.stats
  return { healthy: stats !== undefined, stats: stats ?? NO_STATS }
}

/** A version with all its artifacts, the newest first, and what is known of each. Throws `not_found`. */
async function detail(
  deps: ModelServiceDeps,
  version: string,
  series: { symbol?: string | undefined; timeframe?: string | undefined },
): Promise<Model & { artifacts: ArtifactDetail[]; owner: string | null }> {
  const { store } = deps
  const model = await modelBy(deps, version)
  const rows = await store.artifactsOf(version, series, ARTIFACTS_SHOWN)
  const owned = await store.ownerOf(version)
  return { ...model, artifacts: rows.map(artifactDetail), owner: owned?.createdBy ?? null }
}

/** The card as a file: its name and its text. Throws `not_found`. */
async function card(deps: ModelServiceDeps, id: string): Promise<{ name: string; content: string }> {
  const { version, symbol, timeframe, hash, card: stored } = await artifactBy(deps, id)
  const name = `card-${version}-${symbol}-${timeframe}-${hash.slice(0, 12)}.json`
  return { name, content: `${JSON.stringify(stored, null, 2)}\n` }
}

/** The bots that trade on a version, as this person may see them. */
const botsOn = ({ traders }: ModelServiceDeps, version: string, viewer: Member): Promise<BotsOnModel> =>
  traders.botsOn(version, viewer)

/** What the models say of themselves, which of them speak, and what people change of them, on record. */
export const createModelService = (deps: ModelServiceDeps) =>
  bound(deps, {
    currentOn,
    predictingOn,
    predicting,
    requireVersion,
    setStage,
    promote,
    list,
    health,
    detail,
    card,
    compare: compareModels,
    botsOn,
  })

export type ModelService = ReturnType<typeof createModelService>

/** The models as who asks them for forecasts needs them: which one speaks, and that one lent. */
export type LentModels = Pick<ModelService, 'currentOn' | 'requireVersion'> & Pick<Predictors, 'find' | 'use'>
