import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId, VenueName } from './market.ts'
import { Timeframe } from './timeframes.ts'

export const Signal = z.enum(['BUY', 'SELL', 'HOLD'])
export type Signal = z.infer<typeof Signal>

/** The name of a model version, such as `v3`. */
export const ModelVersion = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'A version is a short name such as v3')

export const ModelStage = z.enum(['production', 'staging', 'archived'])
export type ModelStage = z.infer<typeof ModelStage>

const Interval = z.tuple([z.number(), z.number()])
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
  createdAt: z.number(),
  /** Open times in ms of the first and last candle whose outcome the weights have learnt from. */
  trainedFrom: z.number(),
  trainedTo: z.number(),
  holdoutFrom: z.number(),
  holdoutTo: z.number(),
  seed: z.number().int(),
  accuracy: AccuracyReport,
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
