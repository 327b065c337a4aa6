import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { Interval } from './evaluation.ts'
import { SymbolId } from './market.ts'
import { ModelVersion, Signal } from './ml.ts'
import { Policy } from './policies.ts'
import { Timeframe } from './timeframes.ts'
import { DEFAULT_LOOKBACK, HORIZONS } from './training-candles.ts'
import { bps, epochMs } from './units.ts'

/** What a prediction says where its sentence was not kept. */
export const CACHED_REASONING = 'Cached ML signal'

/** `live`: sealed before its outcome could be known. `backfilled`: worked out afterwards from the candles up to then. */
export const PredictionSource = z.enum(['live', 'backfilled'])
export type PredictionSource = z.infer<typeof PredictionSource>

/** Whether following a forecast is worth its costs: a code with its figures, which screens word. Null figures are unknown. */
export const SignalVerdict = z.object({
  /**
   * `worth_trading`: a direction is called, and gains more than the costs on average. `not_worth_trading`: the costs take all
   * that is expected, or more. `no_direction`: it would pay, but it is too unsure to be called.
   */
  code: z.enum(['worth_trading', 'not_worth_trading', 'no_direction']),
  /** The likelier direction, called or not. */
  leans: z.enum(['up', 'down']),
  /** Mean gain of that direction before costs, the costs of a round trip, and what is left. */
  expectedBps: bps().nullable(),
  costBps: bps().nullable(),
  edgeBps: bps(),
  /** Candles ahead that it speaks of. */
  horizon: z.number().int().nullable(),
})
export type SignalVerdict = z.infer<typeof SignalVerdict>

export const Prediction = z.object({
  /** Open time in ms of the candle at whose close it is made. */
  timestamp: epochMs(),
  /** Open time in ms of the candle that it forecasts: where its prices are drawn. */
  aligned_ts: epochMs(),
  signal: Signal,
  /** Calibrated probability of the called direction, 0 to 1. */
  confidence: z.number(),
  /** Close of the candle at `timestamp`, quote. */
  current_price: z.number(),
  /** Median of the next close by either network, quote. */
  lstm_prediction: z.number(),
  transformer_prediction: z.number(),
  /** Price at which the called direction is given up, quote. */
  stopLoss: z.number(),
  reasoning: z.string().default(CACHED_REASONING),
  /** Expected gain of the called direction after a round trip's costs; below 0 it costs more than it earns. */
  edgeBps: bps(),
  /** Null in answers that were kept before there were verdicts. */
  verdict: SignalVerdict.nullable().default(null),
  version: ModelVersion,
  /** SHA-256 of the artifact that made it. */
  hash: z.string(),
})
export type Prediction = z.infer<typeof Prediction>

export const PredictionRow = Prediction.extend({
  source: PredictionSource,
  /** When it was made, ms. */
  madeAt: epochMs(),
  /** True where the model has learnt from this candle's outcome, or an upload may have: such a row says nothing about its skill. */
  trainedOn: z.boolean(),
})
export type PredictionRow = z.infer<typeof PredictionRow>

const Candles = z.number().int().min(1).max(10_000)

/** How often the fan held what came. */
export const FanCoverage = z.object({
  horizon: z.number().int(),
  outcomes: z.number().int(),
  effectiveOutcomes: z.number(),
  /** Share of outcomes between the 5 % and the 95 % line; 0.9 is what it promises. */
  coverage90: z.number(),
  interval: Interval,
  /** Between the 25 % and the 75 % line. */
  coverage50: z.number(),
})
export type FanCoverage = z.infer<typeof FanCoverage>

export const PredictionCloud = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  version: ModelVersion,
  hash: z.string(),
  method: z.literal('quantile'),
  lookback: z.number().int(),
  /** Open time of the candle at whose close it is made, and that close. */
  timestamp: epochMs(),
  current_price: z.number(),
  /** Prices by horizon; `time` is the open time of the candle whose close is forecast. */
  points: z.array(
    z.object({
      horizon: z.number().int(),
      time: epochMs(),
      q05: z.number(),
      q25: z.number(),
      q50: z.number(),
      q75: z.number(),
      q95: z.number(),
    }),
  ),
  coverage: z.object({
    /** On the candles kept apart from training. */
    holdout: z.array(FanCoverage),
    /** In the track record of this version on this series; empty while nothing is scored. */
    live: z.array(FanCoverage),
  }),
})
export type PredictionCloud = z.infer<typeof PredictionCloud>

export const predictCloud = tradingEndpoint('POST /api/ml/predict-cloud', {
  summary: 'The quantile fan of the next candles, with how often such fans held.',
  touches: [],
  body: z.object({
    symbol: SymbolId,
    limit: Candles.default(300),
    timeframe: Timeframe.default('1h'),
    horizon_steps: z
      .number()
      .int()
      .min(1)
      .max(HORIZONS, `The fan must reach at most ${HORIZONS} candles ahead`)
      .default(HORIZONS)
      .meta({ description: `Candles ahead, 1 to ${HORIZONS}: models learn no more.` }),
    method: z.literal('quantile', 'The only method is quantile').default('quantile'),
    lookback: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(DEFAULT_LOOKBACK)
      .meta({
        description: `Candles in the model's window, which is part of the model: ${DEFAULT_LOOKBACK} stands for its own, whatever that is, and any other number than its own is refused. The reply has the one that was used.`,
      }),
    params: z.strictObject({ version: ModelVersion.optional() }).default({}),
  }),
  reply: PredictionCloud,
  errors: ['unknown_symbol', 'no_candles', 'too_few_candles', 'not_found', 'model_not_trained', 'unprocessable'],
})

export const predictMulti = tradingEndpoint('POST /api/ml/predict-multi', {
  summary: 'One forecast a version; a version that cannot predict has its error in place.',
  touches: [],
  body: z.object({
    versions: z.array(ModelVersion).min(1, 'Name at least one version').max(10, 'Name at most 10 versions'),
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    limit: Candles.default(300),
  }),
  reply: z.object({
    results: z.array(
      z.object({ version: ModelVersion, prediction: Prediction.nullable(), error: z.string().nullable() }),
    ),
  }),
  errors: ['unknown_symbol'],
})

const Time = z.coerce.number().int().nonnegative()

export const PredictionsQuery = z
  .object({
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    /** The newest so many within the times given. */
    limit: z.coerce.number().int().min(1).max(20_000, 'At most 20000 rows a call: page on with before').default(100),
    /** Made after, or before, this time; neither included. */
    since: Time.optional(),
    before: Time.optional(),
    /** Made from … to, both included. */
    from: Time.optional(),
    to: Time.optional(),
    version: ModelVersion.optional(),
  })
  .refine((q) => q.from === undefined || q.to === undefined || q.from <= q.to, {
    path: ['to'],
    message: 'to must not be earlier than from',
  })

export const predictions = tradingEndpoint('GET /api/ml/predictions', {
  publicPath: '/public/ml/predictions',
  summary:
    'Forecasts candle by candle, oldest first; those missing are worked out and kept. None where no model is trained on the series. Times are in ms.',
  query: PredictionsQuery,
  reply: z.array(PredictionRow),
  errors: ['unknown_symbol', 'not_found', 'model_not_trained'],
})

export const predict = tradingEndpoint('POST /api/ml/predict', {
  summary: 'The forecast at the last closed candle, by the current production version or the one named.',
  touches: [predictions],
  body: z.object({
    symbol: SymbolId,
    /** Candles to look at; more are read where the model needs more. */
    limit: Candles.default(300),
    timeframe: Timeframe.default('1h'),
    version: ModelVersion.optional(),
  }),
  reply: Prediction,
  errors: ['unknown_symbol', 'no_candles', 'too_few_candles', 'not_found', 'model_not_trained'],
})

/** Where the next close was said to land, at the close of one candle, and where it landed. */
export const RangeRow = z.object({
  /** Open time in ms of the candle whose close is forecast. */
  time: epochMs(),
  /** Prices between which nine of ten closes should land, and the median. */
  low: z.number(),
  median: z.number(),
  high: z.number(),
  /** Null for the candle that has not closed yet. */
  close: z.number().nullable(),
})
export type RangeRow = z.infer<typeof RangeRow>

export const predictionRanges = tradingEndpoint('GET /api/ml/predictions/ranges', {
  publicPath: '/public/ml/predictions/ranges',
  summary: 'The 90% range of the next close as it was at each of the newest candles, oldest first, beside that close.',
  query: z.object({
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    version: ModelVersion.optional(),
    /** Candles at whose close a range is told. */
    limit: z.coerce.number().int().min(1).max(500).default(48),
  }),
  reply: z.array(RangeRow),
  errors: ['unknown_symbol', 'not_found', 'model_not_trained'],
})

export const policyShare = tradingEndpoint('GET /api/ml/policy-share', {
  summary:
    'The share of its balance that a bot of one pair would hold at the last close by a policy; null where too little is known.',
  query: z.object({
    policy: Policy.exclude(['signal', 'rule']),
    riskLevel: z.enum(['low', 'medium', 'high']).default('medium'),
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    /** Asked by `model_brake` alone. */
    version: ModelVersion.optional(),
  }),
  /** 0 to 1, and the open time of the candle at whose close it is so, ms. */
  reply: z.object({ share: z.number().nullable(), at: epochMs().nullable() }),
  errors: ['unknown_symbol', 'not_found'],
})

/** What a bot's models said last, put together by its consensus rule where it has several. */
export const BotPrediction = z.object({
  botId: z.uuid(),
  symbol: SymbolId,
  timeframe: Timeframe,
  signal: Signal,
  confidence: z.number(),
  /** The rule that decided; null where a single model's call stands. */
  rule: z.string().nullable(),
  /** Of all its models together; null where none of them says what it expects. */
  verdict: SignalVerdict.nullable().default(null),
  /** One a model; a model that could not predict has its error. */
  votes: z.array(z.object({ version: ModelVersion, prediction: Prediction.nullable(), error: z.string().nullable() })),
  /** When it was made, ms. */
  madeAt: epochMs(),
})
export type BotPrediction = z.infer<typeof BotPrediction>

export const botLastPrediction = tradingEndpoint('GET /api/bots/:id/last-prediction', {
  publicPath: '/public/bots/:id/last-prediction',
  summary: "A bot's newest prediction; null where it has none yet.",
  reply: BotPrediction.nullable(),
})

const BotIds = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((id) => id !== ''))
  .pipe(z.array(z.uuid('ids is a comma list of bot ids')).max(200, 'At most 200 bot ids a call'))

export const botLastPredictions = tradingEndpoint('GET /api/bots/last-predictions', {
  publicPath: '/public/bots/last-predictions',
  summary: 'The newest predictions of up to 200 bots by id; bots without one, or not to be seen, are left out.',
  query: z.object({ ids: BotIds }),
  reply: z.record(z.uuid(), BotPrediction),
})

export const pollBotPrediction = tradingEndpoint('POST /api/bots/:id/poll-prediction', {
  summary: "Ask a bot's models now. Anyone who may see the bot.",
  touches: [botLastPrediction, botLastPredictions],
  reply: BotPrediction,
  errors: ['not_found', 'unknown_symbol', 'no_candles', 'too_few_candles', 'model_not_trained', 'unprocessable'],
})
