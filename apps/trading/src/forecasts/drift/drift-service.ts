import type { DriftTest, ModelDrift, modelDrift, SeriesDrift } from '@shapecast/contracts/drift'
import type { QueryOf } from '@shapecast/contracts/endpoint'
import type { Model, ModelArtifact } from '@shapecast/contracts/ml'
import { type DriftSubject, driftSubject } from '@shapecast/ml/drift/drift-subject'
import { featureVerdict, scoreVerdict } from '@shapecast/ml/drift/drift-words'
import { holdoutBar, type LiveOutcome, type ScoreDrift, scoreDrift } from '@shapecast/ml/drift/score-drift'
import { SYSTEM } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { lastClosedOpen } from '@shapecast/venues/venue'
import { bound } from '../../ground/bound.ts'
import { createCache } from '../../ground/cache.ts'
import type { SeriesMarket } from '../../market/series-market.ts'
import type { ModelStore } from '../../models/model-store.ts'
import type { Traders } from '../../models/traders.ts'
import { auditModel, noModel } from '../../models/versions.ts'
import type { OutcomeStore } from '../record/outcome-store.ts'
import { putState, statesOf } from './drift-store.ts'
import { createFeatureWatch } from './feature-watch.ts'

/** The newest outcomes of an artifact that its test looks at: more than a year of hours. */
const MOST_OUTCOMES = 10_000
const MOST_POINTS = 240

/** The test of an artifact's live score; of its outcomes in order of time, `MOST_OUTCOMES` at most. */
const watchScore = (outcomes: LiveOutcome[], { evaluation, signalHorizon }: DriftSubject): ScoreDrift =>
  scoreDrift(outcomes, signalHorizon, evaluation === null ? null : holdoutBar(evaluation))

/** Indices of about `most` values that keep the curve's shape: of each stretch the largest, and the last of all. */
export function largestOfStretches(values: ArrayLike<number>, most: number): number[] {
  const n = values.length
  if (n <= most) return Array.from({ length: n }, (_, i) => i)
  const kept = Array.from({ length: most - 1 }, (_, k) => {
    const [from, to] = [Math.floor((k * (n - 1)) / (most - 1)), Math.floor(((k + 1) * (n - 1)) / (most - 1))]
    let best = from
    for (let i = from + 1; i < to; i++) if (values[i]! > values[best]!) best = i
    return best
  })
  return [...kept, n - 1]
}

/** The test as the API shows it. */
const shownTest = ({ against, e, ts, largestE, crossedAt, mean, bar }: ScoreDrift): DriftTest => ({
  against,
  outcomes: e.length,
  e: e[e.length - 1] ?? 1,
  largestE,
  crossedAt: crossedAt === null ? null : ts[crossedAt]!,
  mean,
  bar,
  path: largestOfStretches(e, MOST_POINTS).map((i) => ({ ts: ts[i]!, e: e[i]! })),
})

const KEPT = 128
const UNKNOWN_KIND = 'Its card is of a kind that is not read here.'

export interface DriftDeps {
  db: Database
  models: Pick<ModelStore, 'list' | 'cardsOf'>
  /** Scored predictions of artifacts. */
  outcomes: OutcomeStore
  load: SeriesMarket['load']
  /** The market's clock, ms; null where it has none. */
  marketTime(): Promise<number | null>
  notifyTraders: Traders['tell']
  log: Logger
  now(): number
}

interface Known {
  artifact: ModelArtifact
  /** Null where its card is of a kind that is not read here. */
  subject: DriftSubject | null
  outcomes: LiveOutcome[]
}

/** What drift is looked for with: what was found of artifacts is kept. */
interface Drifting extends DriftDeps {
  readonly compareFeatures: ReturnType<typeof createFeatureWatch>
  readonly subjects: ReturnType<typeof createCache<DriftSubject | null>>
  readonly found: ReturnType<typeof createCache<SeriesDrift>>
}

/** What artifacts are and how their forecasts came out, however many they are in two questions. */
async function known({ models, subjects, ...deps }: Drifting, artifacts: readonly ModelArtifact[]): Promise<Known[]> {
  // A card never changes, so that it is read once.
  const unread = artifacts.filter(({ id }) => !subjects.has(id)).map(({ id }) => id)
  const cards = unread.length === 0 ? new Map() : await models.cardsOf(unread)
  const outcomes = artifacts.length === 0 ? new Map() : await deps.outcomes.of(artifacts, MOST_OUTCOMES)
  return Promise.all(
    artifacts.map(async (artifact) => ({
      artifact,
      subject: await subjects.get(artifact.id, async () => driftSubject(cards.get(artifact.id))),
      outcomes: outcomes.get(artifact.id) ?? [],
    })),
  )
}

const active = async ({ models }: Drifting): Promise<{ model: Model; artifact: ModelArtifact }[]> =>
  (await models.list()).flatMap((model) => model.artifacts.map((artifact) => ({ model, artifact })))

async function examine({ compareFeatures }: Drifting, { artifact, subject, outcomes }: Known): Promise<SeriesDrift> {
  const { id, hash, symbol, timeframe } = artifact
  const named = { artifactId: id, hash, symbol, timeframe }
  if (subject === null) {
    const unknown = { decision: 'unknown', features: null, test: null } as const
    return { ...named, ...unknown, verdict: UNKNOWN_KIND, featuresNote: UNKNOWN_KIND }
  }
  const score = watchScore(outcomes, subject)
  const { features: drift, note } = await compareFeatures(artifact, subject)
  const inputs = drift === null ? 'whether its features have shifted is not known' : featureVerdict(drift)
  return {
    ...named,
    decision: score.decision,
    verdict: `${scoreVerdict(score)}; ${inputs}.`,
    features: drift,
    featuresNote: note,
    test: shownTest(score),
  }
}

/** Each artifact of a version that predicts. Throws `not_found`. */
async function read(ctx: Drifting, version: string, series: QueryOf<typeof modelDrift>): Promise<ModelDrift> {
  const { models, outcomes, marketTime, found } = ctx
  const model = (await models.list()).find((candidate) => candidate.version === version)
  if (model === undefined) throw noModel(version)
  const artifacts = model.artifacts.filter(
    ({ symbol, timeframe }) =>
      (series.symbol === undefined || symbol === series.symbol) &&
      (series.timeframe === undefined || timeframe === series.timeframe),
  )
  const scored = await outcomes.newest(artifacts)
  const nowMs = (await marketTime()) ?? 0
  const keyOf = ({ id, timeframe }: ModelArtifact) => `${id}/${lastClosedOpen(timeframe, nowMs)}/${scored.get(id) ?? 0}`
  const asked = await known(
    ctx,
    artifacts.filter((artifact) => !found.has(keyOf(artifact))),
  )
  const all: SeriesDrift[] = []
  for (const artifact of artifacts) {
    const key = keyOf(artifact)
    const drift = await found.get(key, async () => {
      const own = asked.find((one) => one.artifact === artifact) ?? (await known(ctx, [artifact]))[0]!
      return examine(ctx, own)
    })
    // What is missing may be there the next time: candles are imported and downloaded.
    if (drift.features === null) found.forget(key)
    all.push(drift)
  }
  return { version, stage: model.stage, series: all }
}

/** What is written down of each artifact that predicts. */
async function states(ctx: Drifting) {
  const all = await active(ctx)
  const written = await statesOf(
    ctx.db.orm,
    all.map(({ artifact }) => artifact.id),
  )
  return all.map(({ model: { version }, artifact: { id, symbol, timeframe } }) => {
    const { decision = 'unknown' as const, featuresDrift = null, sinceMs = null } = written.get(id) ?? {}
    return { version, symbol, timeframe, decision, featuresDrift, since: sinceMs }
  })
}

async function look(ctx: Drifting, version: string, artifact: ModelArtifact, lastScoredMs: number): Promise<void> {
  const { db, compareFeatures, notifyTraders, now } = ctx
  const [{ subject, outcomes } = { subject: null, outcomes: [] }] = await known(ctx, [artifact])
  if (subject === null) return
  const { id, symbol, timeframe, hash } = artifact
  const score = watchScore(outcomes, subject)
  const { features: shifts } = await compareFeatures(artifact, subject)
  const { decision } = score
  const row = {
    artifactId: id,
    decision,
    sinceMs: score.crossedAt === null ? null : score.ts[score.crossedAt]!,
    featuresDrift: shifts?.drifts ?? null,
    lastScoredMs,
  }
  await db.orm.transaction(async (tx) => {
    const written = await putState(tx, row)
    const bad = (one: string | null) => one === 'suspect' || one === 'worse'
    if (written === undefined || written.before === decision) return
    if (!bad(decision) && !bad(written.before)) return
    const text = scoreVerdict(score)
    await auditModel(tx, SYSTEM, 'model.drifted', version, {
      before: { decision: written.before },
      after: { decision, symbol, timeframe, hash, verdict: text },
    })
    if (!bad(decision)) return
    const title = `${version} on ${symbol} ${timeframe} predicts worse than it did`
    await notifyTraders(tx, { version, title, text, doerId: null }, now())
  })
}

/**
 * Looks at the score and the features of every artifact that has new outcomes and writes down what they say; a decision
 * that changes to suspect or worse, or back, goes on record. One that cannot be looked at is logged and holds up no
 * other. Answers how many were looked at.
 */
async function watch(ctx: Drifting): Promise<number> {
  const { db, outcomes, log } = ctx
  const all = await active(ctx)
  const scored = await outcomes.newest(all.map(({ artifact }) => artifact))
  const written = await statesOf(db.orm, [...scored.keys()])
  const due = all.filter(
    ({ artifact: { id } }) => scored.has(id) && scored.get(id)! > (written.get(id)?.lastScoredMs ?? -1),
  )
  for (const { model, artifact } of due)
    await look(ctx, model.version, artifact, scored.get(artifact.id)!).catch((error: unknown) =>
      log.warn({ err: error, version: model.version, artifact: artifact.id }, 'the drift of a model is not known'),
    )
  return due.length
}

/** Whether models still see what they were trained on, and predict as well as they did. */
export const createDriftService = (deps: DriftDeps) => {
  const [subjects, found] = [createCache<DriftSubject | null>({ max: KEPT }), createCache<SeriesDrift>({ max: KEPT })]
  return bound({ ...deps, compareFeatures: createFeatureWatch(deps), subjects, found }, { read, states, watch })
}

export type DriftService = ReturnType<typeof createDriftService>
