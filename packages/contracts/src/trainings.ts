import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { featureComplaint } from './features.ts'
import { JobStatus } from './job-status.ts'
import { SymbolId, VenueName } from './market.ts'
import { ModelVersion } from './ml.ts'
import { Timeframe } from './timeframes.ts'
import { HORIZONS, MOST_BY_LIMIT, MOST_CANDLES } from './training-candles.ts'
import { TrainingOutcome } from './training-outcome.ts'
import { epochMs } from './units.ts'

/** A key that is not known is refused: a setting that is misspelt must not train with another value in silence. */
export const TrainParams = z.strictObject({
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  epochs: z.number().int().min(1).max(100).optional(),
  lookback: z.number().int().min(8).max(120).optional(),
  lstmHidden: z.number().int().min(8).max(128).optional(),
  signalHorizon: z.number().int().min(1).max(HORIZONS).optional(),
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
    limit: z
      .number()
      .int()
      .min(1)
      .max(MOST_CANDLES)
      .overwrite((limit) => Math.min(limit, MOST_BY_LIMIT))
      .optional()
      .meta({ description: `The newest so many candles; more than ${MOST_BY_LIMIT} counts as ${MOST_BY_LIMIT}.` }),
    /** Those that opened in [from, to], ms; 100,000 at most. */
    from: epochMs().int().nonnegative().optional(),
    to: epochMs().int().nonnegative().optional(),
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

export const TrainingProgress = z.object({
  current: z.number(),
  total: z.number(),
  phase: z.string(),
  epoch: z.number().int().nullable(),
  trainLoss: z.number().nullable(),
  validationLoss: z.number().nullable(),
  secondsLeft: z.number().nullable(),
})

export const TrainingJob = z.object({
  _id: z.uuid(),
  /** On whose candles. */
  venue: VenueName,
  status: JobStatus,
  version: ModelVersion,
  symbol: SymbolId,
  timeframe: Timeframe,
  progress: TrainingProgress,
  artifactId: z.uuid().nullable(),
  /** Null until the training is completed, and once its model is no longer kept. */
  outcome: TrainingOutcome.nullable(),
  error: z.string().nullable(),
  createdAt: epochMs(),
})
export type TrainingJob = z.infer<typeof TrainingJob>

export const trainingJobs = tradingEndpoint('GET /api/ml/train/jobs', {
  summary: "The caller's newest training jobs (an admin sees everybody's).",
  reply: z.array(TrainingJob),
})

export const train = tradingEndpoint('POST /api/ml/train', {
  summary:
    'Train a version on the candles of one symbol. Queues a job, or joins the one under way with the same settings; follow it at /api/ml/train/jobs/{id}.',
  touches: [trainingJobs],
  body: TrainRequest,
  reply: z.object({ jobId: z.uuid() }),
  errors: ['unknown_symbol', 'no_candles', 'too_few_candles', 'conflict', 'too_many_requests'],
})

export const trainingJob = tradingEndpoint('GET /api/ml/train/jobs/:id', {
  summary: 'A training job: status, epoch, losses and seconds left.',
  reply: TrainingJob,
})

export const repeatTraining = tradingEndpoint('POST /api/ml/train/jobs/:id/repeat', {
  summary: 'Train once more on the same candles with the same settings. Queues a job of its own.',
  touches: [trainingJobs],
  reply: z.object({ jobId: z.uuid() }),
  errors: ['not_found', 'no_candles', 'too_few_candles', 'conflict', 'too_many_requests'],
})
