import { z } from 'zod'
import {
  BotParameters,
  InitialBalance,
  MarketType,
  PositionSize,
  RiskLevel,
  RuleOrigin,
  RuleText,
  Sizing,
  Strategy,
} from './bots.ts'
import { COST_DEFAULTS, FeeRate, MAKER_DEARER, PostedOrders, PostOnly, SlippageBps } from './costs.ts'
import { tradingEndpoint } from './endpoint.ts'
import { Interval } from './evaluation.ts'
import { JobStatus } from './job-status.ts'
import { MarketKind, SentCandle, SymbolId, VenueName } from './market.ts'
import { ModelVersion } from './ml.ts'
import { PlainName, PlainText } from './storable-text.ts'
import { Timeframe } from './timeframes.ts'
import { Trials } from './trials.ts'
import { pct } from './units.ts'

export const BACKTEST_DEFAULTS = {
  timeframe: '1h',
  limit: 1000,
  ...COST_DEFAULTS,
  noSameBarReentry: true,
  positionSize: 0.015,
  initialBalance: 100,
  leverage: 30,
  maxDrawdown: 50,
} as const

const inOrder = (r: { from?: number | undefined; to?: number | undefined }) =>
  r.from === undefined || r.to === undefined || r.from < r.to
const order = { path: ['to'], message: 'to must be later than from' }

export const NO_BOT_SELECTED = 'Please select a bot to test.'
export const BOT_NOT_FOUND = 'Selected bot not found.'
export const NO_MODEL_SELECTED = 'Please select a model to test.'

const Parameters = z.object({
  /**
   * `bot` tests a bot's configuration; `model` one model alone, by its version or through a temporary bot that trades it;
   * `rule` a rule that no bot has.
   */
  mode: z.enum(['bot', 'model', 'rule']).default('bot'),
  botId: z.uuid(NO_BOT_SELECTED).optional(),
  /** One of the bot's trading pairs; all of them on one balance where none is given. A must without a bot. */
  symbol: SymbolId.optional(),
  /** The bot's own where none is given, else 1h. */
  timeframe: Timeframe.optional(),
  /** How many candles; the newest ones, or the last ones up to `to`. */
  limit: z.number().int().min(1).max(1_000_000).default(BACKTEST_DEFAULTS.limit),
  /** Open times in ms; where both are given they decide the range, not `limit`. */
  from: z.number().int().nonnegative().optional(),
  to: z.number().int().nonnegative().optional(),
  feeRate: FeeRate.default(BACKTEST_DEFAULTS.feeRate),
  slippageBps: SlippageBps.default(BACKTEST_DEFAULTS.slippageBps),
  /** Of a bot that holds a share of the equity; left out its orders take at the open, whatever the bot does. */
  postOnly: PostOnly.optional(),
  noSameBarReentry: z.boolean().default(BACKTEST_DEFAULTS.noSameBarReentry),
  /** Candles to run on instead of the stored ones. The run says that they came from the caller. */
  ohlcv: z.array(SentCandle).max(10_000).optional(),
  /** A rule, what it trades (spot), and how much: all the money where no sizing is given. */
  rule: RuleText.optional(),
  ruleOrigin: RuleOrigin.optional(),
  marketType: MarketType.optional(),
  sizing: Sizing.optional(),
  /** The rest is for a rule, and for a model that is tested by its version, which trades futures by `positionSize`. */
  mlModelVersion: ModelVersion.optional(),
  positionSize: PositionSize.default(BACKTEST_DEFAULTS.positionSize),
  initialBalance: InitialBalance.default(BACKTEST_DEFAULTS.initialBalance),
  leverage: z.number().int().min(1).max(100).default(BACKTEST_DEFAULTS.leverage),
  /** Percent of the peak of the equity; 0 is no limit. */
  maxDrawdown: z.number().min(0).max(100).default(BACKTEST_DEFAULTS.maxDrawdown),
})

/** What is tested, how large, and at which cost: all but the candles. */
export const TestedFields = Parameters.omit({
  symbol: true,
  timeframe: true,
  limit: true,
  from: true,
  to: true,
  ohlcv: true,
})

export const BacktestRequest = Parameters.refine(inOrder, order).superRefine((r, ctx) => {
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
  if (r.mode === 'bot' && r.botId === undefined) refuse('botId', NO_BOT_SELECTED)
  if (r.mode === 'model' && r.botId === undefined) {
    if (r.mlModelVersion === undefined) refuse('mlModelVersion', NO_MODEL_SELECTED)
    if (r.symbol === undefined) refuse('symbol', 'Name the symbol to test the model on.')
  }
  if (r.postOnly !== undefined && r.mode !== 'bot')
    refuse('postOnly', 'Post-only orders are for a bot that holds a share of the equity')
  if ((r.postOnly?.makerFeeRate ?? 0) > r.feeRate) refuse('postOnly', MAKER_DEARER)
  if (r.mode === 'rule') {
    if (r.rule === undefined) refuse('rule', 'Write the rule to test.')
    if (r.symbol === undefined) refuse('symbol', 'Name the symbol to test the rule on.')
  }
})
export type BacktestRequest = z.infer<typeof BacktestRequest>
export const ModelBacktestRequest = Parameters.omit({
  mode: true,
  botId: true,
  rule: true,
  ruleOrigin: true,
  marketType: true,
  sizing: true,
})
  .extend({
    timeframe: Timeframe.default(BACKTEST_DEFAULTS.timeframe),
    mlModelVersion: z.string(NO_MODEL_SELECTED).pipe(ModelVersion),
    symbol: SymbolId,
  })
  .refine(inOrder, order)

export const BacktestJob = z.object({
  _id: z.uuid(),
  status: JobStatus,
  progress: z.object({ current: z.number(), total: z.number() }),
  runId: z.uuid().nullable(),
  error: z.string().nullable(),
  createdAt: z.number(),
})
export type BacktestJob = z.infer<typeof BacktestJob>

export const TradeSide = z.enum(['long', 'short'])
export const ExitReason = z.enum([
  'signal',
  'reversal',
  'take_profit',
  'stop_loss',
  'trailing_stop',
  'time',
  'liquidation',
  'max_drawdown',
  'rebalance',
  'stopped',
  /** A person closed the position of a bot, which goes on. */
  'closed_by_hand',
  /** A person had a bot brought to its targets. */
  'rebalanced_by_hand',
])
export const Trade = z.object({
  side: TradeSide,
  entryTime: z.number(),
  exitTime: z.number(),
  entryPrice: z.number(),
  exitPrice: z.number(),
  quantity: z.number(),
  netPnL: z.number(),
  fees: z.number(),
  funding: z.number(),
  exitReason: ExitReason,
  /** Of a run over several pairs. */
  symbol: SymbolId.optional(),
})
export type Trade = z.infer<typeof Trade>

/** Definitions, formulas and sources: docs/backtest.md. */
export const Metrics = z.object({
  trades: z.number().int(),
  /** Percent of the trades with a positive net PnL; null without trades. */
  winRate: z.number().nullable(),
  /** Sum of winning net PnL over the sum of losing net PnL, in money; null without a losing trade. */
  profitFactor: z.number().nullable(),
  /** Largest fall from a peak of the equity, percent, 0 or positive. */
  maxDrawdownPct: z.number(),
  sharpeLike: z.number().nullable(),
  avgTradePnL: z.number().nullable(),
  totalReturnPct: z.number(),
  /** Costs told apart, in quote: gross − fees − slippage + funding = net. */
  grossPnL: z.number(),
  fees: z.number(),
  slippageCost: z.number(),
  funding: z.number(),
  netPnL: z.number(),
  buyAndHoldReturnPct: z.number(),
})
export type Metrics = z.infer<typeof Metrics>

/**
 * How far figures of the same range may lie from the true ones by chance: 95 % intervals, null where there is none. Formulas:
 * docs/backtest.md.
 */
export const RunIntervals = z.object({
  /** What was drawn again: closed trades, or of a policy that holds a share its daily returns. */
  unit: z.enum(['trade', 'day']),
  units: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  /** How much each resembles the one before, −1 to 1; null where they do not vary. */
  autocorrelation: z.number().nullable(),
  /** Autocorrelated by more than 0.4: the truth lies outside more often than it says. */
  isTooNarrow: z.boolean(),
  /** Percent, after costs. */
  totalReturnPct: Interval.nullable(),
  /** None of a policy that holds a share. */
  profitFactor: Interval.nullable(),
  /** Yearly, by trade or by day: another figure than `sharpeLike`, which is by candle. */
  sharpe: z.object({ value: z.number(), interval: Interval }).nullable(),
  /**
   * What the return says. No interval: `too_few` for ten blocks (30), `too_few_wins_or_losses` (five of each are needed), or
   * `unsteady`, where too many draws have no figure or nothing was left. Else by its ends: `lost_beyond_chance` (at most 0),
   * `gained_beyond_chance` (above 0), `may_be_luck`.
   */
  verdict: z.enum([
    'too_few',
    'too_few_wins_or_losses',
    'unsteady',
    'may_be_luck',
    'lost_beyond_chance',
    'gained_beyond_chance',
  ]),
})
export type RunIntervals = z.infer<typeof RunIntervals>

/** Metrics of a part of the range by itself. */
export const RangePart = z.object({
  from: z.number(),
  to: z.number(),
  candles: z.number().int(),
  metrics: Metrics,
  /** Left out of runs from before they were worked out this way. */
  intervals: RunIntervals.optional(),
})

export type RangePart = z.infer<typeof RangePart>

/**
 * What the part to judge by says: the verdict of its intervals, or `halted_before` where the drawdown limit had ended the run
 * before it began, or `no_intervals` of a run from before they were worked out as they are now.
 */
export const RunVerdict = z.enum([
  ...RunIntervals.shape.verdict.options,
  'halted_before',
  'no_intervals',
  'funding_unknown',
])
export type RunVerdict = z.infer<typeof RunVerdict>

/**
 * The return to judge a run by, percent: of the unseen part, of older runs of the whole range. Null where the models had seen
 * all of it (`all_seen`) or nothing was traded in the unseen part (`not_traded`).
 */
const JudgedReturn = z.object({
  by: z.enum(['unseen', 'whole_range', 'all_seen', 'not_traded']),
  returnPct: z.number().nullable(),
})
export type JudgedReturn = z.infer<typeof JudgedReturn>

/** A month or week (from Monday) of a run, UTC; one that holds the border of the unseen part is split there. */
export const RunPeriod = z.object({
  /** Open times of its first and last candle, ms. */
  from: z.number(),
  to: z.number(),
  /** Whether it begins in the part that a model of the run had seen. */
  isSeen: z.boolean(),
  /** Percent, after costs. */
  returnPct: z.number(),
  /** Buy and hold, percent, without costs; null where the candles are not at hand. */
  holdPct: z.number().nullable(),
  /** Percent, 0 or positive. */
  maxDrawdownPct: z.number(),
  /** Trades entered in it. */
  trades: z.number().int(),
  /** Of those trades, quote. */
  fees: z.number(),
})
export type RunPeriod = z.infer<typeof RunPeriod>

/** What a person writes on a run to know it again. */
const RunNotes = z.object({
  /** Null: it is called by its bot or model. */
  name: PlainName.max(80, 'A name has at most 80 characters').nullable(),
  note: PlainText.max(500, 'A note has at most 500 characters').nullable(),
})

/** How a tested bot trades, and what one entry of it is. */
export const RunTrading = BotParameters.pick({
  policy: true,
  rule: true,
  ruleOrigin: true,
  sizing: true,
  requireEdge: true,
  mostTraded: true,
})
export type RunTrading = z.infer<typeof RunTrading>

export const BacktestRunSummary = z.object({
  _id: z.uuid(),
  symbol: SymbolId,
  /** All pairs of a run over several on one balance; `symbol` is the first. */
  symbols: z.array(SymbolId).optional(),
  timeframe: Timeframe,
  venue: VenueName,
  market: MarketKind,
  startTime: z.number(),
  endTime: z.number(),
  candles: z.number().int(),
  initialBalance: z.number(),
  finalBalance: z.number(),
  totalReturnPct: z.number(),
  params: z.object({
    mode: z.enum(['bot', 'model', 'rule']),
    botId: z.uuid().nullable(),
    botName: z.string(),
    strategy: Strategy,
    riskLevel: RiskLevel,
    positionSize: z.number(),
    /** Left out of models tested alone and of older runs. */
    parameters: RunTrading.optional(),
    marketType: z.enum(['spot', 'futures']),
    leverage: z.number(),
    /** Percent; left out of older runs. */
    maxDrawdown: z.number().optional(),
    mlModelVersion: ModelVersion.nullable(),
    mlModelVersions: z.array(ModelVersion).nullable(),
    timeframe: Timeframe,
    feeRate: z.number(),
    slippageBps: z.number(),
    /** Left out where orders take at the open. */
    postOnly: PostOnly.optional(),
    noSameBarReentry: z.boolean(),
    createdAt: z.number(),
  }),
  metrics: Metrics,
  intervals: RunIntervals.optional(),
  /** The part to judge by, which no model of the run had seen; null where there is none, left out of older runs. */
  unseen: RangePart.nullable().optional(),
  judged: JudgedReturn,
  ...RunNotes.partial().shape,
  /** Whether the caller may rename, note and delete it. */
  own: z.boolean().optional(),
  /** Share of the range, 0–1, on which a model of this run was trained or tuned; unseen part judged by itself. */
  seenRatio: z.number(),
})
export type BacktestRunSummary = z.infer<typeof BacktestRunSummary>

const RunPosition = z.object({
  side: TradeSide,
  entryPrice: z.number(),
  entryTime: z.number(),
  quantity: z.number(),
  unrealizedPnL: z.number(),
})

/**
 * The trades of a rule beside entries at random, on the same sides and held as long: whether its timing is worth
 * anything. Definition: docs/backtest.md.
 */
export const RandomEntries = z.object({
  /** `too_few_trades`: fewer than 30. `cannot_tell`: no better than random as far as these trades can say. */
  code: z.enum(['too_few_trades', 'better_than_random', 'cannot_tell']),
  /** Closed trades; where a model was asked that has seen a part of the range, those of the unseen part. */
  trades: z.number().int(),
  isUnseenPart: z.boolean(),
  /** Share of draws, its own included, that did as well, 0–1; null of too few trades. */
  p: z.number().nullable(),
  /** The trades one after the other with all the money, percent. */
  netReturnPct: pct(),
  /** How many draws came to what, in bins of equal width from the lowest to the highest; null of too few trades. */
  random: z.object({ fromPct: pct(), toPct: pct(), counts: z.array(z.number().int()) }).nullable(),
})
export type RandomEntries = z.infer<typeof RandomEntries>

export const BacktestRun = BacktestRunSummary.extend({
  /** By the run's user, on its series; left out of runs from the command line. */
  trials: Trials.optional(),
  meta: z.object({
    /** What one must know to read the run, in a sentence; of a bot whose decisions were replayed. */
    caveat: z.string().optional(),
    signals: z.object({ buy: z.number().int(), sell: z.number().int(), hold: z.number().int() }),
    avgConfidence: z.number().nullable(),
    entries: z.number().int(),
    closes: z.number().int(),
    /** Entries made smaller than asked for, because the balance carried no more. */
    reducedEntries: z.number().int().optional(),
    skippedOrders: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    haltedAt: z.number().nullable(),
    gaps: z.object({ count: z.number().int(), missingCandles: z.number().int() }),
    /** What became of post-only orders; left out where there were none. */
    posted: PostedOrders.optional(),
    /** Candles that reached both stop and target, and of how many smaller ones (`by`, null where none are stored) told which came first. */
    bothReached: z.object({ candles: z.number().int(), told: z.number().int(), by: Timeframe.nullable() }).optional(),
    /** The share (0–1) of the held time whose funding was assumed; only where funding was charged. */
    fundingAssumed: z.number().optional(),
    candlesFrom: z.enum(['stored', 'request']),
    hashes: z.object({
      candles: z.string(),
      models: z.array(z.string()),
      parameters: z.string(),
      engine: z.string(),
      result: z.string(),
    }),
  }),
  /** The model's past: what it was trained or tuned on within this range, and the metrics of both parts. */
  seen: z.object({
    ranges: z.array(
      z.object({
        from: z.number(),
        to: z.number(),
        version: ModelVersion,
        /**
         * `trained` here, as where it is left out; `declared` by the author of an upload; `unknown`: any candle until its
         * upload may be of it.
         */
        basis: z.enum(['trained', 'declared', 'unknown']).optional(),
      }),
    ),
    /** Uploads of which only their authors say what they were trained on, within this range or outside it. */
    byAuthorsWord: z.array(ModelVersion).optional(),
    seen: RangePart.nullable(),
    unseen: RangePart.nullable(),
  }),
  /**
   * Sharpe ratio a year of what each day brought over holding as much as was held on average: the timing, after costs. Null
   * where nothing was held, and over several pairs; left out of runs from before it was worked out.
   */
  sharpeOverHolding: z.number().nullable().optional(),
  /** Null where there is no unseen part. */
  verdict: RunVerdict.nullable(),
  periods: z.object({ months: z.array(RunPeriod), weeks: z.array(RunPeriod) }),
  /** Of a rule. */
  randomEntries: RandomEntries.optional(),
  openPosition: RunPosition.nullable(),
  /** Of a run over several pairs, all that are open at its end. */
  openPositions: z.array(RunPosition.extend({ symbol: SymbolId })).optional(),
  trades: z.array(Trade),
  equityCurve: z.array(z.object({ t: z.number(), equity: z.number() })),
  mlPredictions: z.array(z.object({ timestamp: z.number(), aligned_ts: z.number(), lstm_prediction: z.number() })),
})
export type BacktestRun = z.infer<typeof BacktestRun>

const ById = z.object({ id: z.uuid() })
const jobErrors = ['not_found', 'no_candles', 'too_few_candles', 'model_not_trained', 'unknown_symbol'] as const

/** The 10,000 candles that a request may bring along come to about 1 MB. */
const LARGEST_REQUEST_BYTES = 2 * 1024 * 1024

export const createBacktestJob = tradingEndpoint({
  method: 'POST',
  path: '/api/backtest/jobs',
  summary: 'Queue a backtest of a bot (mode bot), of a model alone (mode model) or of a rule (mode rule).',
  access: 'manager',
  touches: [],
  body: BacktestRequest,
  bodyLimit: LARGEST_REQUEST_BYTES,
  reply: z.object({ jobId: z.uuid() }),
  errors: [...jobErrors, 'too_many_requests'],
})

export const modelBacktest = tradingEndpoint({
  method: 'POST',
  path: '/api/ml/backtest',
  summary: 'Queue a backtest of a model alone.',
  access: 'manager',
  touches: [],
  body: ModelBacktestRequest,
  bodyLimit: LARGEST_REQUEST_BYTES,
  reply: z.object({ jobId: z.uuid() }),
  errors: [...jobErrors, 'too_many_requests'],
})

export const backtestJob = tradingEndpoint({
  method: 'GET',
  path: '/api/backtest/jobs/:id',
  summary: 'A backtest job: its status, progress and, once completed, its run.',
  access: 'user',
  params: ById,
  reply: BacktestJob,
  errors: ['not_found'],
})

export const backtestRuns = tradingEndpoint({
  method: 'GET',
  path: '/api/backtest/runs',
  publicPath: '/public/backtest/runs',
  summary: "Saved runs, the newest first: the caller's own and those of public bots (an admin sees all).",
  access: 'user',
  query: z.object({
    symbol: SymbolId.optional(),
    timeframe: Timeframe.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  reply: z.array(BacktestRunSummary),
})

export const runBacktest = tradingEndpoint({
  method: 'POST',
  path: '/api/backtest/run',
  summary: 'As a job, but the reply waits for the run (25 seconds at most, then 503 with the job still running).',
  access: 'manager',
  touches: [backtestRuns],
  body: BacktestRequest,
  bodyLimit: LARGEST_REQUEST_BYTES,
  reply: BacktestRun,
  errors: [...jobErrors, 'too_many_requests', 'unprocessable', 'unavailable'],
})

export const backtestRun = tradingEndpoint({
  method: 'GET',
  path: '/api/backtest/runs/:id',
  publicPath: '/public/backtest/runs/:id',
  summary: 'One saved run with its trades, equity curve and predictions.',
  access: 'user',
  params: ById,
  reply: BacktestRun,
  errors: ['not_found'],
})

/** What a file of a saved run holds. */
export const RUN_PARTS = ['trades', 'equity'] as const
export const FILE_FORMATS = ['csv', 'parquet'] as const

export const exportBacktestRun = tradingEndpoint({
  method: 'GET',
  path: '/api/backtest/runs/:id/export',
  publicPath: '/public/backtest/runs/:id/export',
  summary: 'The trades or the equity of a saved run as a CSV or Parquet file. Times are UTC.',
  access: 'user',
  params: ById,
  query: z.object({ part: z.enum(RUN_PARTS).default('trades'), format: z.enum(FILE_FORMATS).default('csv') }),
  reply: z.unknown(),
  replyKind: 'file',
  errors: ['not_found'],
})

export const changeBacktestRun = tradingEndpoint({
  method: 'PATCH',
  path: '/api/backtest/runs/:id',
  summary: 'Give a saved run a name or a note. Its own user or an admin.',
  access: 'user',
  touches: [backtestRuns, backtestRun],
  params: ById,
  body: RunNotes.partial().refine(
    ({ name, note }) => name !== undefined || note !== undefined,
    'Give a name or a note',
  ),
  reply: BacktestRunSummary,
  errors: ['not_found'],
})

export const deleteBacktestRun = tradingEndpoint({
  method: 'DELETE',
  path: '/api/backtest/runs/:id',
  summary: 'Delete a saved run with its trades and curves. Its own user or an admin.',
  access: 'user',
  touches: [backtestRuns],
  params: ById,
  reply: z.object({ ok: z.literal(true) }),
  errors: ['not_found'],
})
