import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { Evaluation, LearningCurve } from './evaluation.ts'
import { featureComplaint } from './features.ts'
import { LeakVerdict } from './leak-audit.ts'
import { SymbolId, VenueName } from './market.ts'
import { Timeframe } from './timeframes.ts'
import { TrainingOutcome } from './training-outcome.ts'
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

/** Low and high end of a 95 % interval. */
export const Interval = z.tuple([z.number(), z.number()])
/** A share with its 95 % interval over the effective number of outcomes, ratios from 0 to 1. */
export const AccuracyReport = z.object({
  accuracy: z.number(),
  interval: Interval,
  outcomes: z.number().int(),
  effectiveOutcomes: z.number(),
  majorityBaseline: z.number(),
  reversalBaseline: z.number(),
  /** In words: better than, worse than or indistinguishable from the better baseline. */
  verdict: z.string(),
})
export type AccuracyReport = z.infer<typeof AccuracyReport>

export const ModelArtifact = z.object({
  id: z.uuid(),
  venue: VenueName,
  symbol: SymbolId,
  timeframe: Timeframe,
  /** SHA-256 of its files. */
  hash: z.string(),
  origin: ModelOrigin,
  createdAt: z.number(),
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
  /** Whether its leak audit found that it knows the future; `unknown` before it ended. */
  leak: LeakVerdict,
})
export type ModelArtifact = z.infer<typeof ModelArtifact>

export const Model = z.object({
  version: ModelVersion,
  stage: ModelStage,
  stats: z.object({
    /** Mean hold-out accuracy of its artifacts, 0 to 1; null while none is trained. */
    accuracy: z.number().nullable(),
    last_update: z.number().nullable(),
  }),
  artifacts: z.array(ModelArtifact),
})
export type Model = z.infer<typeof Model>

export const models = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/models',
  publicPath: '/public/ml/models',
  summary: 'Model versions: production, staging, archived; the newest first within a stage.',
  access: 'user',
  reply: z.object({ models: z.array(Model), current: ModelVersion.nullable() }),
})

/** Two versions or artifacts on the same candles: mean losses, lower is better, and whether they differ by more than chance. */
export const PairedTest = z.object({
  outcomes: z.number().int(),
  /** Mean of a's losses less b's; below 0 a is better. */
  meanDifference: z.number(),
  interval: Interval,
  /** Diebold–Mariano statistic with the Newey–West variance and the correction of Harvey, Leybourne and Newbold. */
  statistic: z.number(),
  pValue: z.number(),
  /** In words. */
  verdict: z.string(),
})
export type PairedTest = z.infer<typeof PairedTest>

/** How a new artifact stood against the one that predicted before, on candles that neither had learnt from. */
export const ArtifactComparison = z.object({
  againstId: z.uuid(),
  /** Open times in ms of the first and last candle judged on; null where there are none in common. */
  from: z.number().nullable(),
  to: z.number().nullable(),
  outcomes: z.number().int(),
  /** Mean log loss of P(up) on the same candles; null where the two cannot be compared. */
  logLoss: z.object({ candidate: z.number(), active: z.number() }).nullable(),
  brier: z.object({ candidate: z.number(), active: z.number() }).nullable(),
  accuracy: z.object({ candidate: z.number(), active: z.number() }).nullable(),
  test: PairedTest.nullable(),
  /** Whether the new one was at least no worse by log loss, and so took over. */
  noWorse: z.boolean(),
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
  evaluation: Evaluation,
  /** Null for an upload: how it was trained is not known here. */
  learningCurves: z.object({ lstm: LearningCurve, transformer: LearningCurve }).nullable(),
  candles: z.object({ count: z.number().int(), from: z.number(), to: z.number(), hash: z.string() }),
  /** Null for an upload. */
  settings: z.record(z.string(), z.number().nullable()).nullable(),
  /** The features that it has learnt from, by name. */
  features: z.array(z.string()),
  signalThreshold: z.number(),
  roundTripCostBps: z.number(),
  /** What an upload says of itself; null for what was trained here. */
  upload: UploadFacts.nullable(),
})
export type ArtifactDetail = z.infer<typeof ArtifactDetail>

const ByVersion = z.object({ id: ModelVersion })

export const modelDetail = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/models/:id',
  publicPath: '/public/ml/models/:id',
  summary: 'A version with its artifacts, the newest first: card, evaluation, learning curves, and which one predicts.',
  access: 'user',
  params: ByVersion,
  query: z.object({ symbol: SymbolId.optional(), timeframe: Timeframe.optional() }),
  reply: Model.extend({ artifacts: z.array(ArtifactDetail) }),
  errors: ['not_found'],
})

/** A model whose audit found a leak goes nowhere by accident: `model_leaks` without this. */
const DespiteLeak = z.boolean().default(false)

export const setModelStage = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/models/:id/stage',
  summary: 'Move a version to production, to staging or into the archive. Managers.',
  access: 'manager',
  params: ByVersion,
  body: z.object({ stage: ModelStage, despiteLeak: DespiteLeak }),
  reply: Model,
  errors: ['not_found', 'model_not_trained', 'model_leaks'],
})

export const promoteArtifact = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/artifacts/:id/promote',
  summary: 'Let an artifact predict for its version and series, whatever its comparison says. Managers.',
  access: 'manager',
  params: z.object({ id: z.uuid() }),
  body: z.object({ despiteLeak: DespiteLeak }),
  reply: ArtifactDetail,
  errors: ['not_found', 'model_leaks'],
})

export const artifactCard = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/artifacts/:id/card',
  publicPath: '/public/ml/artifacts/:id/card',
  summary: 'The model card as a JSON file to keep.',
  access: 'user',
  params: z.object({ id: z.uuid() }),
  reply: z.unknown(),
  replyKind: 'file',
  errors: ['not_found'],
})

/** A version's figures on candles that none of the compared ones had learnt from. */
export const ComparedModel = z.object({
  version: ModelVersion,
  artifactId: z.uuid(),
  hash: z.string(),
  stage: ModelStage,
  accuracy: z.number(),
  accuracyInterval: Interval,
  brier: z.number(),
  logLoss: z.number(),
  /** Mean over horizons and quantiles of the pinball loss of log returns, in bps. */
  pinballBps: z.number(),
  coverage90: z.array(z.object({ horizon: z.number().int(), coverage: z.number(), interval: Interval })),
  /** Signals given on those candles. */
  signals: z.object({ buy: z.number().int(), sell: z.number().int(), hold: z.number().int() }),
})
export type ComparedModel = z.infer<typeof ComparedModel>

export const ModelComparison = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  horizon: z.number().int(),
  from: z.number(),
  to: z.number(),
  outcomes: z.number().int(),
  effectiveOutcomes: z.number(),
  models: z.array(ComparedModel),
  baselines: z.object({ majority: z.number(), reversal: z.number() }),
  pairs: z.array(
    z.object({
      a: ModelVersion,
      b: ModelVersion,
      logLoss: PairedTest,
      pinball: PairedTest,
      /** Of the errors P(up) − outcome; 1 is the same errors, and no gain from an ensemble. */
      errorCorrelation: z.number(),
    }),
  ),
  /** All compared versions voting together under each rule, at its default thresholds. */
  ensembles: z.array(
    z.object({
      strategy: z.string(),
      /** Candles on which it called a direction, and the share of those it called right (null where there are none). */
      calls: z.number().int(),
      accuracy: z.number().nullable(),
      interval: Interval.nullable(),
      /** Of the single version that is right most often on its own calls. */
      bestSingle: z.number().nullable(),
    }),
  ),
})
export type ModelComparison = z.infer<typeof ModelComparison>

export const compareModels = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/compare',
  summary: '2–5 versions on the same candles that none of them has learnt from, with paired tests.',
  access: 'user',
  body: z.object({
    versions: z
      .array(ModelVersion)
      .min(2, 'Choose at least 2 versions')
      .max(5, 'Choose at most 5 versions')
      .refine((versions) => new Set(versions).size === versions.length, 'Name each version once'),
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
  }),
  reply: ModelComparison,
  errors: ['unknown_symbol', 'not_found', 'model_not_trained', 'too_few_candles', 'unprocessable'],
})

export const TrainParams = z.object({
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  epochs: z.number().int().min(1).max(100).optional(),
  lookback: z.number().int().min(8).max(120).optional(),
  lstmHidden: z.number().int().min(8).max(128).optional(),
  signalHorizon: z.number().int().min(1).max(8).optional(),
  learningRate: z.number().min(1e-5).max(1e-1).optional(),
  signalThreshold: z.number().min(0).max(0.5).optional(),
  /** Width of the Transformer's tokens, over its 2 heads. */
  transformerWidth: z.number().int().min(8).max(64).multipleOf(2).optional(),
  transformerLayers: z.number().int().min(1).max(4).optional(),
  /** The features that it learns from, by name; all where none are given. */
  features: z
    .array(z.string())
    .min(1, 'Choose at least one feature')
    .refine((names) => new Set(names).size === names.length, 'Name each feature once')
    .optional(),
})
export type TrainParams = z.infer<typeof TrainParams>

const TrainRequest = z
  .object({
    version: ModelVersion.default('v3'),
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    /** The newest so many candles … */
    limit: z.number().int().min(1).max(100_000).optional(),
    /** … or those that opened in [from, to], ms. */
    from: z.number().int().nonnegative().optional(),
    to: z.number().int().nonnegative().optional(),
    params: TrainParams.default({}),
  })
  .refine((r) => r.from === undefined || r.to === undefined || r.from < r.to, {
    path: ['to'],
    message: 'to must be later than from',
  })
  .superRefine(({ timeframe, params: { features } }, context) => {
    const message = features === undefined ? null : featureComplaint(timeframe, features)
    if (message !== null) context.addIssue({ code: 'custom', path: ['params', 'features'], message })
  })

export const JobStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
export type JobStatus = z.infer<typeof JobStatus>

export const TrainingJob = z.object({
  _id: z.uuid(),
  status: JobStatus,
  version: ModelVersion,
  symbol: SymbolId,
  timeframe: Timeframe,
  progress: z.object({
    current: z.number(),
    total: z.number(),
    phase: z.string(),
    epoch: z.number().int().nullable(),
    trainLoss: z.number().nullable(),
    validationLoss: z.number().nullable(),
    secondsLeft: z.number().nullable(),
  }),
  artifactId: z.uuid().nullable(),
  /** Null until the training is completed. */
  outcome: TrainingOutcome.nullable(),
  error: z.string().nullable(),
  createdAt: z.number(),
})
export type TrainingJob = z.infer<typeof TrainingJob>

export const train = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/train',
  summary: 'Train a version on the candles of one symbol. Queues a job; follow it at /api/ml/train/jobs/{id}.',
  access: 'user',
  body: TrainRequest,
  reply: z.object({ jobId: z.uuid() }),
  errors: ['unknown_symbol', 'no_candles', 'too_few_candles', 'conflict', 'too_many_requests'],
})

export const trainingJobs = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/train/jobs',
  summary: "The caller's newest training jobs (an admin sees everybody's).",
  access: 'user',
  reply: z.array(TrainingJob),
})

export const trainingJob = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/train/jobs/:id',
  summary: 'A training job: status, epoch, losses and seconds left.',
  access: 'user',
  params: z.object({ id: z.uuid() }),
  reply: TrainingJob,
  errors: ['not_found'],
})

export const cancelTraining = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/train/jobs/:id/cancel',
  summary: 'Cancel a queued or running training.',
  access: 'user',
  params: z.object({ id: z.uuid() }),
  reply: TrainingJob,
  errors: ['not_found', 'job_not_running'],
})

export const repeatTraining = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/train/jobs/:id/repeat',
  summary: 'Train once more on the same candles with the same settings. Queues a job of its own.',
  access: 'user',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ jobId: z.uuid() }),
  errors: ['not_found', 'no_candles', 'too_few_candles', 'conflict', 'too_many_requests'],
})

export const mlHealth = tradingEndpoint({
  method: 'GET',
  path: '/api/ml/health',
  publicPath: '/public/ml/health',
  summary: 'Whether a trained production model exists, with the accuracy of the current one.',
  access: 'user',
  reply: z.object({
    healthy: z.boolean(),
    stats: z.object({ accuracy: z.number().nullable(), interval: Interval.nullable() }),
  }),
})

export const Indicators = z.object({
  /** Wilder's relative strength index of 14 closes, 0 to 100. */
  rsi: z.number(),
  /** Distance of the close from the mean of 20 closes, in standard deviations. */
  zScore: z.number(),
  /** Williams' Ultimate Oscillator of 7, 14 and 28 candles, 0 to 100. */
  ultimateOscillator: z.number(),
  ema: z.object({ ema20: z.number() }),
  /** Mean of 20 closes and two standard deviations around it. */
  bollinger: z.object({ upper: z.number(), middle: z.number(), lower: z.number() }),
})
export type Indicators = z.infer<typeof Indicators>

export const indicators = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/indicators',
  summary: 'The indicators at the last closed candle, computed over the newest `limit` candles.',
  access: 'user',
  body: z.object({
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    limit: z.number().int().min(1).max(10_000).default(300),
  }),
  reply: Indicators,
  errors: ['unknown_symbol', 'too_few_candles', 'venue_unreachable'],
})
