import { z } from 'zod'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { EngineVersions } from './engine-versions.ts'
import {
  AccuracyReport,
  DirectionVerdict,
  Evaluation,
  Interval,
  LearningCurve,
  ModelVerdict,
  PairedTest,
} from './evaluation.ts'
import { SymbolId, VenueName } from './market.ts'
import { Timeframe } from './timeframes.ts'
import { bps, epochMs } from './units.ts'
import { ModelOrigin, UploadFacts } from './uploaded-model.ts'

export const Signal = z.enum(['BUY', 'SELL', 'HOLD'])
export type Signal = z.infer<typeof Signal>

/** The name of a model version, such as `v3`. */
export const ModelVersion = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'A version is a short name such as v3')

export const ModelStage = z.enum(['production', 'staging', 'archived'])
export type ModelStage = z.infer<typeof ModelStage>

export const ModelArtifact = z.object({
  id: z.uuid(),
  venue: VenueName,
  symbol: SymbolId,
  timeframe: Timeframe,
  /** SHA-256 of its files. */
  hash: z.string(),
  origin: ModelOrigin,
  createdAt: epochMs(),
  /**
   * Open times in ms of the first and last candle whose outcome the weights have learnt from; of an upload by its author's
   * word, null where that is not said.
   */
  trainedFrom: z.number().nullable(),
  trainedTo: z.number().nullable(),
  holdoutFrom: z.number(),
  holdoutTo: z.number(),
  /** Null for an upload. */
  seed: z.number().int().nullable(),
  accuracy: AccuracyReport,
  direction: DirectionVerdict,
})
export type ModelArtifact = z.infer<typeof ModelArtifact>

/**
 * How a version does on its hold-outs: means over its artifacts, 0 to 1; null while there is no outcome to judge by. The
 * interval is wide enough however much the errors of several artifacts hang together.
 */
const HoldoutStats = z.object({
  accuracy: z.number().nullable(),
  interval: Interval.nullable(),
  /** What the better of the two naive rules got right: the direction that was more frequent before, or the reversal. */
  baseline: z.number().nullable(),
})

export const Model = z.object({
  version: ModelVersion,
  stage: ModelStage,
  stats: HoldoutStats.extend({ last_update: epochMs().nullable() }),
  artifacts: z.array(ModelArtifact),
})
export type Model = z.infer<typeof Model>

export const models = tradingEndpoint('GET /api/ml/models', {
  publicPath: '/public/ml/models',
  summary: 'Model versions: production, staging, archived; the newest first within a stage.',
  reply: z.object({ models: z.array(Model), current: ModelVersion.nullable() }),
})

/** How a new artifact stood against the one that predicted before, on candles that neither had learnt from. */
export const ArtifactComparison = z.object({
  /** Null where it waits to be the first of its series. */
  againstId: z.uuid().nullable(),
  /** Open times in ms of the first and last candle judged on; null without common candles. */
  from: epochMs().nullable(),
  to: epochMs().nullable(),
  outcomes: z.number().int(),
  /** Mean log loss of P(up) on the same candles; null where the two cannot be compared. */
  logLoss: z.object({ candidate: z.number(), active: z.number() }).nullable(),
  brier: z.object({ candidate: z.number(), active: z.number() }).nullable(),
  accuracy: z.object({ candidate: z.number(), active: z.number() }).nullable(),
  test: PairedTest.nullable(),
  /** Whether it took over: it was better by log loss, beyond chance. A tie leaves the old one. */
  takesOver: z.boolean(),
  /** Whether it waits for the owner of its version, or a manager, whatever its figures. */
  waits: z.boolean(),
  /** In words: what was decided and why. */
  verdict: z.string(),
})
export type ArtifactComparison = z.infer<typeof ArtifactComparison>

/** An artifact with everything that is known of its quality. */
export const ArtifactDetail = ModelArtifact.extend({
  /** The one of its series that predicts. */
  active: z.boolean(),
  /** Null where it was the first of its series. */
  comparison: ArtifactComparison.nullable(),
  /** What it was made by; null for an upload, and for a card from before cards told it. */
  engine: EngineVersions.nullable(),
  evaluation: Evaluation,
  verdict: ModelVerdict,
  /** By the name of its network. Null for an upload: how it was trained is not known here. */
  learningCurves: z.record(z.string(), LearningCurve).nullable(),
  candles: z.object({ count: z.number().int(), from: epochMs(), to: epochMs(), hash: z.string() }),
  /** Null for an upload. */
  settings: z.record(z.string(), z.number().nullish()).nullable(),
  /** The features that it has learnt from, by name. */
  features: z.array(z.string()),
  signalThreshold: z.number(),
  roundTripCostBps: bps(),
  /** What an upload says of itself; null for what was trained here. */
  upload: UploadFacts.nullable(),
})
export type ArtifactDetail = z.infer<typeof ArtifactDetail>

const ByVersion = z.object({ id: ModelVersion })

export const modelDetail = tradingEndpoint('GET /api/ml/models/:id', {
  publicPath: '/public/ml/models/:id',
  summary: 'A version with its artifacts, the newest first: card, evaluation, learning curves, and which one predicts.',
  params: ByVersion,
  query: z.object({ symbol: SymbolId.optional(), timeframe: Timeframe.optional() }),
  reply: Model.extend({
    artifacts: z.array(ArtifactDetail),
    /** Who may promote its artifacts while it is not in production, beside managers; null for the installation's own. */
    owner: z.uuid().nullable(),
  }),
})

/** The bots that are not stopped and trade on a version. */
export const BotsOnModel = z.object({
  bots: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      status: z.enum(['active', 'paused', 'error']),
      isVirtual: z.boolean(),
    }),
  ),
  /** Private bots of others. */
  others: z.number().int(),
})
export type BotsOnModel = z.infer<typeof BotsOnModel>

export const botsOnModel = tradingEndpoint('GET /api/ml/models/:id/bots', {
  summary: 'The bots that trade on a version. Managers; private bots of others are only counted.',
  access: 'manager',
  params: ByVersion,
  reply: BotsOnModel,
  errors: [],
})

export const promoteArtifact = tradingEndpoint('POST /api/ml/artifacts/:id/promote', {
  summary:
    'Let an artifact predict for its version and series, whatever its comparison says. The owner of a version that is not in production, and managers.',
  touches: [models, modelDetail],
  reply: ArtifactDetail,
  errors: ['not_found', 'forbidden'],
})

export const artifactCard = tradingEndpoint('GET /api/ml/artifacts/:id/card', {
  publicPath: '/public/ml/artifacts/:id/card',
  summary: 'The model card as a JSON file to keep.',
  ...fileOf('application/json'),
})

export const mlHealth = tradingEndpoint('GET /api/ml/health', {
  publicPath: '/public/ml/health',
  summary: 'Whether a trained production model exists, with the accuracy of the current one beside its baseline.',
  reply: z.object({ healthy: z.boolean(), stats: HoldoutStats }),
})

export const setModelStage = tradingEndpoint('POST /api/ml/models/:id/stage', {
  summary:
    'Move a version to production, to staging or into the archive. Its bots go on with the model of their start, or with bots=pause are paused where it leaves production. Managers.',
  access: 'manager',
  touches: [models, modelDetail, mlHealth],
  params: ByVersion,
  body: z.object({ stage: ModelStage, bots: z.enum(['keep', 'pause']).default('keep') }),
  reply: Model,
  errors: ['not_found', 'model_not_trained'],
})
