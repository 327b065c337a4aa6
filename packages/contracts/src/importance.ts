import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { FeatureGroup } from './features.ts'
import { JobStatus } from './job-status.ts'
import { bps, epochMs } from './units.ts'

/** How much a mean loss grows when an input is shuffled. Below 0 it shrank: the model was better off without it. */
export const LossIncrease = z.object({
  mean: z.number(),
  /** 95 %, over the repeats of the shuffle and over the outcomes judged by. Holds 0: indistinguishable from none. */
  interval: z.tuple([z.number(), z.number()]),
})
export type LossIncrease = z.infer<typeof LossIncrease>

const Item = z.object({
  name: z.string(),
  /** What it means, in a few words. */
  label: z.string(),
  /** Of the mean pinball loss over quantiles and horizons, in bps: what the fan loses without it. */
  pinballBps: LossIncrease,
  /** Of the log loss of P(up) at the signal horizon: what the direction loses without it. */
  logLoss: LossIncrease,
  /** In words: what it matters for, or that it is indistinguishable from none. */
  verdict: z.string(),
})

/** One thing that a model looks at. It can be several columns that say the same, such as the sine and cosine of the hour. */
export const ImportanceItem = Item.extend({
  group: FeatureGroup,
  /** The model's inputs that were shuffled together. */
  columns: z.array(z.string()),
})
export type ImportanceItem = z.infer<typeof ImportanceItem>

/** A group whose members were all shuffled alike at once: correlated inputs stand in for each other one by one. */
export const GroupImportance = Item.extend({
  name: FeatureGroup,
  /** Names of its items. */
  members: z.array(z.string()),
})
export type GroupImportance = z.infer<typeof GroupImportance>

/**
 * What a model looks at: how much worse it forecasts its hold-out when an input is shuffled there, so that it no longer
 * belongs to its candle (Breiman, Machine Learning 45, 2001; Fisher, Rudin and Dominici, JMLR 20, 2019).
 */
export const FeatureImportance = z.object({
  /** The most important for the fan first. */
  features: z.array(ImportanceItem),
  groups: z.array(GroupImportance),
  /** Mean losses with every input in its place. */
  baseline: z.object({ pinballBps: bps(), logLoss: z.number() }),
  /** Candles ahead at which the log loss is judged. */
  horizon: z.number().int(),
  repeats: z.number().int(),
  seed: z.number().int(),
  /** Candles judged by, and the open times in ms of the first and last. */
  outcomes: z.number().int(),
  from: epochMs(),
  to: epochMs(),
  /** Mean length of the stretches that were shuffled as a whole, in candles. */
  blockCandles: z.number(),
  /** What these numbers do not say, in words. */
  caveat: z.string(),
})
export type FeatureImportance = z.infer<typeof FeatureImportance>

/** The measuring of an artifact's importance: the last one asked for, and what the last one that ended has found. */
export const ImportanceRun = z.object({
  artifactId: z.uuid(),
  /** The job that measures, by which it is cancelled. */
  jobId: z.uuid(),
  status: JobStatus,
  /** A new run leaves it until it has one of its own. */
  importance: FeatureImportance.nullable(),
  /** Why the last run failed, and what to do. */
  error: z.string().nullable(),
  requestedAt: epochMs(),
  /** When the last run ended, however it did; null while one waits or runs. */
  finishedAt: epochMs().nullable(),
})
export type ImportanceRun = z.infer<typeof ImportanceRun>

export const importance = tradingEndpoint('GET /api/ml/artifacts/:id/importance', {
  publicPath: '/public/ml/artifacts/:id/importance',
  summary: 'What an artifact looks at, by shuffling its inputs; null before that was asked for.',
  reply: ImportanceRun.nullable(),
})

export const requestImportance = tradingEndpoint('POST /api/ml/artifacts/:id/importance', {
  summary: 'Measure what an artifact looks at. Queues a job; follow it by reading the importance.',
  touches: [importance],
  reply: ImportanceRun,
  errors: ['not_found', 'too_many_requests'],
})
