import { z } from 'zod'
import { Metrics, RunIntervals } from './backtest.ts'
import { tradingEndpoint } from './endpoint.ts'
import { JobStatus } from './job-status.ts'
import { VenueName } from './market.ts'
import { ModelVersion } from './ml.ts'
import { SearchRequest } from './search.ts'
import { Trials } from './trials.ts'
import { pct } from './units.ts'

export const WalkForwardRequest = z.object({
  /** What is chosen before each stretch, and on which candles. The kept part is no part of a walk. */
  search: SearchRequest,
  /** Candles on which the settings are chosen, and those after them on which they trade. */
  train: z.number().int().min(50, 'Train on at least 50 candles'),
  test: z.number().int().min(10, 'A stretch must have at least 10 candles'),
  /** Chooses on all candles so far, instead of the newest `train` ones. */
  anchored: z.boolean().default(false),
})
export type WalkForwardRequest = z.infer<typeof WalkForwardRequest>
export type WalkForwardRequestInput = z.input<typeof WalkForwardRequest>

/** Open times of the first and the last candle, ms, and how many. */
const Stretch = z.object({ from: z.number(), to: z.number(), candles: z.number().int() })

export const WalkFold = z.object({
  /** Open times of the first and the last candle, ms. */
  train: z.object({ from: z.number(), to: z.number() }),
  test: z.object({ from: z.number(), to: z.number() }),
  /** Null where nothing closed enough trades: what traded before goes on. */
  values: z.record(z.string(), z.number()).nullable(),
  /** Where they were chosen: Sharpe ratio a year, of what their days brought over holding as much. */
  inSample: z.object({ sharpe: z.number(), netReturnPct: pct(), trades: z.number().int() }).nullable(),
  /** On what followed; the ratio is null where nothing was held. */
  outOfSample: z.object({
    sharpe: z.number().nullable(),
    netReturnPct: pct(),
    holdPct: pct(),
    trades: z.number().int(),
  }),
})
export type WalkFold = z.infer<typeof WalkFold>

export const WalkForwardResult = z.object({
  walked: Stretch,
  kept: Stretch.nullable(),
  parameters: z.array(z.object({ name: z.string(), label: z.string(), values: z.array(z.number()) })),
  /** Combinations that each fold chose among. */
  points: z.number().int(),
  folds: z.array(WalkFold),
  /** Of all stretches that were traded, end to end on one account; with it buying at the first open and holding. */
  metrics: Metrics,
  intervals: RunIntervals,
  holdDrawdownPct: pct(),
  /** Means over the folds. */
  inSampleSharpe: z.number().nullable(),
  outOfSampleSharpe: z.number().nullable(),
  /** Out of sample over in sample; null where in sample it is 0 or less. */
  efficiency: z.number().nullable(),
  /** Folds that chose other settings than the one before. */
  changes: z.number().int(),
  /** Over the beginning, percent, at daily closes (ms). */
  curves: z.object({ t: z.array(z.number()), walk: z.array(z.number()), hold: z.array(z.number()) }),
  /** Of a walk that asked a model: its version, and the share of the walked candles that it had seen, 0–1. */
  model: z.object({ version: ModelVersion, seenRatio: z.number() }).nullable(),
})
export type WalkForwardResult = z.infer<typeof WalkForwardResult>

export const WalkForwardSummary = z.object({
  id: z.uuid(),
  status: JobStatus,
  /** Folds done of those to do. */
  progress: z.object({ current: z.number().int(), total: z.number().int() }),
  error: z.string().nullable(),
  createdAt: z.number(),
  venue: VenueName,
  title: z.string(),
  request: WalkForwardRequest,
})
export type WalkForwardSummary = z.infer<typeof WalkForwardSummary>

export const WalkForward = WalkForwardSummary.extend({
  /** By the user of the walk on its series, now. */
  tries: Trials,
  result: WalkForwardResult.nullable(),
})
export type WalkForward = z.infer<typeof WalkForward>

export const walkForwards = tradingEndpoint({
  method: 'GET',
  path: '/api/walk-forwards',
  summary: "The caller's walks, the newest first (an admin sees everybody's).",
  access: 'user',
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  reply: z.array(WalkForwardSummary),
})

export const walkForward = tradingEndpoint({
  method: 'GET',
  path: '/api/walk-forwards/:id',
  summary: 'One walk: how far it is and, once completed, its folds and stitched equity. Its own user or an admin.',
  access: 'user',
  params: z.object({ id: z.uuid() }),
  reply: WalkForward,
  errors: ['not_found'],
})

export const createWalkForward = tradingEndpoint({
  method: 'POST',
  path: '/api/walk-forwards',
  summary:
    'Queue a walk: before each stretch of candles the best settings of a rule, a policy or the model signal are chosen on the candles before it, and trade it. Each combination counts as a try on the series.',
  access: 'manager',
  touches: [walkForwards],
  body: WalkForwardRequest,
  reply: z.object({ id: z.uuid() }),
  errors: ['no_candles', 'too_few_candles', 'unknown_symbol', 'model_not_trained', 'too_many_requests'],
})
