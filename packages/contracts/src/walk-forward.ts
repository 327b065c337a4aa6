import { z } from 'zod'
import { Metrics, RunIntervals } from './backtest-results.ts'
import { tradingEndpoint } from './endpoint.ts'
import { AccuracyReport, DirectionVerdict } from './evaluation.ts'
import { FundingAssumed } from './funding.ts'
import { LabJob, labFile } from './lab-job.ts'
import { SymbolId } from './market.ts'
import { ModelVersion } from './ml.ts'
import { combinationsOf, LabRequest, MOST_SEARCHED_CANDLES, SEARCH_DEFAULTS } from './search.ts'
import { Timeframe } from './timeframes.ts'
import { LAB_CANDLES, Trials } from './trials.ts'
import { epochMs, pct, ratio } from './units.ts'

/** Candles on which the settings are chosen, or a model is trained, and those after them on which they trade. */
const TRAIN = z.number().int().min(50, 'Train on at least 50 candles')
const TEST = z.number().int().min(10, 'A stretch must have at least 10 candles')

export const WalkForwardRequest = z
  .object({
    /** What is chosen before each stretch, and on which candles. The kept part is no part of a walk. */
    search: LabRequest,
    train: TRAIN,
    test: TEST,
    /** Chooses on all candles so far, instead of the newest `train` ones. */
    anchored: z.boolean().default(false),
    /**
     * Trains the model that the rule or the signal asks again before each stretch, with its own settings, on the candles before
     * it alone. Nothing else is chosen then: each parameter has one value.
     */
    retrain: z.boolean().default(false),
  })
  .superRefine(({ search: { kind, parameters }, retrain }, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: ['search', path], message })
    const all = combinationsOf(parameters)
    if (!retrain && all < 2) refuse('parameters', 'A walk must have at least 2 combinations to choose among')
    if (retrain && all > 1)
      refuse('parameters', 'Where the model is trained again nothing else is chosen: give each parameter one value')
    if (retrain && kind === 'policy')
      refuse('kind', 'These policies ask no model: train again with a rule or the signal')
  })
export type WalkForwardRequest = z.infer<typeof WalkForwardRequest>
export type WalkForwardRequestInput = z.input<typeof WalkForwardRequest>

/** The model of a fold, trained on its training candles alone. */
export const FoldModel = z.object({
  hash: z.string(),
  /** Open time in ms of the newest candle that decided anything about it. */
  learntTo: z.number(),
  /** On the newest of its training candles, which it did not learn from; and on the stretch that followed. */
  heldOut: AccuracyReport,
  ahead: AccuracyReport,
  /** How long its training took. */
  seconds: z.number(),
})
export type FoldModel = z.infer<typeof FoldModel>

/** Open times of the first and the last candle, ms, and how many. */
const Stretch = z.object({ from: epochMs(), to: epochMs(), candles: z.number().int() })

export const WalkFold = z.object({
  /** Open times of the first and the last candle, ms. */
  train: z.object({ from: epochMs(), to: epochMs() }),
  test: z.object({ from: epochMs(), to: epochMs() }),
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
  /** Where it was trained for the fold. */
  model: FoldModel.optional(),
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
  /** The candle at which its drawdown limit ended it (open time, ms): nothing was traded after it. Missing in old walks. */
  haltedAt: epochMs().nullish(),
  /** Means over the folds. */
  inSampleSharpe: z.number().nullable(),
  outOfSampleSharpe: z.number().nullable(),
  /** Out of sample over in sample; null where in sample it is 0 or less. */
  efficiency: z.number().nullable(),
  fundingAssumed: FundingAssumed.default(null),
  /** Folds that chose other settings than the one before. */
  changes: z.number().int(),
  /** Over the beginning, percent, at daily closes (ms). */
  curves: z.object({ t: z.array(z.number()), walk: z.array(z.number()), hold: z.array(z.number()) }),
  /** Of a walk that asked a model: its version, and the share of the walked candles that it had seen, 0–1. */
  model: z.object({ version: ModelVersion, seenRatio: ratio() }).nullable(),
  /** Of a walk that trained its model again. */
  retrained: z
    .object({
      version: ModelVersion,
      /** Candles ahead whose direction it calls. */
      horizon: z.number().int(),
      /** Over all stretches: each called by the model that was trained before it. */
      ahead: AccuracyReport,
      direction: DirectionVerdict,
      /** What the version's own training, once, says of itself, and on which candles (open times, ms). */
      single: z.object({ heldOut: AccuracyReport, from: epochMs(), to: epochMs() }),
    })
    .optional(),
})
export type WalkForwardResult = z.infer<typeof WalkForwardResult>

export const WalkForwardSummary = LabJob.extend({ request: WalkForwardRequest })
export type WalkForwardSummary = z.infer<typeof WalkForwardSummary>

export const WalkForward = WalkForwardSummary.extend({
  /** By the user of the walk on its series, now. */
  tries: Trials,
  result: WalkForwardResult.nullable(),
})
export type WalkForward = z.infer<typeof WalkForward>

export const walkForwards = tradingEndpoint('GET /api/walk-forwards', {
  summary: "The caller's walks, the newest first (an admin sees everybody's).",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  reply: z.array(WalkForwardSummary),
})

export const walkForward = tradingEndpoint('GET /api/walk-forwards/:id', {
  summary: 'One walk: how far it is and, once completed, its folds and stitched equity. Its own user or an admin.',
  reply: WalkForward,
})

const WalkGroundQuery = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  limit: z.coerce.number().int().min(100).max(MOST_SEARCHED_CANDLES).default(LAB_CANDLES),
  keptPct: z.coerce.number().min(0).max(50).default(SEARCH_DEFAULTS.keptPct),
  train: z.coerce.number().pipe(TRAIN),
  test: z.coerce.number().pipe(TEST),
  anchored: z.stringbool().default(false),
  mlModelVersion: ModelVersion.optional(),
})
export type WalkGroundQuery = z.infer<typeof WalkGroundQuery>

export const walkForwardGround = tradingEndpoint('GET /api/walk-forwards/ground', {
  summary:
    'What a walk that trains its model again would stand on: how many folds it has, and about how long their trainings take here.',
  query: WalkGroundQuery,
  reply: z.object({
    version: ModelVersion,
    folds: z.number().int(),
    /** By the newest training here; null where none was timed: the first fold then tells. */
    seconds: z.number().nullable(),
  }),
  errors: ['no_candles', 'too_few_candles', 'unknown_symbol', 'model_not_trained', 'unprocessable'],
})

export const createWalkForward = tradingEndpoint('POST /api/walk-forwards', {
  summary:
    'Queue a walk: before each stretch of candles the best settings of a rule, a policy or the model signal are chosen on the candles before it, and trade it. Each combination counts as a try on the series. With `retrain` the model is trained again before each stretch instead; each training counts.',
  access: 'manager',
  touches: [walkForwards],
  body: WalkForwardRequest,
  reply: z.object({ id: z.uuid() }),
  errors: [
    'no_candles',
    'too_few_candles',
    'unknown_symbol',
    'model_not_trained',
    'unprocessable',
    'too_many_requests',
  ],
})

export const exportWalkForward = labFile('/api/walk-forwards/:id/export', 'The folds of a completed walk')
