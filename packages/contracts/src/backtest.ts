import { z } from 'zod'
import { BacktestRequest, ModelBacktestRequest } from './backtest-request.ts'
import {
  JudgedReturn,
  Metrics,
  RandomEntries,
  RangePart,
  RunIntervals,
  RunPeriod,
  RunVerdict,
  Trade,
  TradeSide,
} from './backtest-results.ts'
import { BotParameters, RiskLevel, Strategy } from './bots.ts'
import { PostedOrders, PostOnly } from './costs.ts'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { JobStatus, leftS } from './job-status.ts'
import { MarketKind, SymbolId, VenueName } from './market.ts'
import { ModelVersion } from './ml.ts'
import { PlainName, PlainText } from './storable-text.ts'
import { Timeframe } from './timeframes.ts'
import { Trials } from './trials.ts'
import { bps, epochMs, pct, ratio } from './units.ts'

export const BacktestJob = z.object({
  _id: z.uuid(),
  status: JobStatus,
  progress: z.object({ current: z.number(), total: z.number(), leftS }),
  runId: z.uuid().nullable(),
  error: z.string().nullable(),
  createdAt: epochMs(),
})
export type BacktestJob = z.infer<typeof BacktestJob>

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
  startTime: epochMs(),
  endTime: epochMs(),
  candles: z.number().int(),
  initialBalance: z.number(),
  finalBalance: z.number(),
  totalReturnPct: pct(),
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
    feeRate: ratio(),
    slippageBps: bps(),
    /** Left out where orders take at the open. */
    postOnly: PostOnly.optional(),
    noSameBarReentry: z.boolean(),
    createdAt: epochMs(),
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
  seenRatio: ratio(),
})
export type BacktestRunSummary = z.infer<typeof BacktestRunSummary>

const RunPosition = z.object({
  side: TradeSide,
  entryPrice: z.number(),
  entryTime: epochMs(),
  quantity: z.number(),
  unrealizedPnL: z.number(),
})

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
    haltedAt: epochMs().nullable(),
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
        from: epochMs(),
        to: epochMs(),
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
  mlPredictions: z.array(z.object({ timestamp: epochMs(), aligned_ts: epochMs(), lstm_prediction: z.number() })),
})
export type BacktestRun = z.infer<typeof BacktestRun>

const jobErrors = ['not_found', 'no_candles', 'too_few_candles', 'model_not_trained', 'unknown_symbol'] as const

/** The 10,000 candles that a request may bring along come to about 1 MB. */
const LARGEST_REQUEST_BYTES = 2 * 1024 * 1024

export const createBacktestJob = tradingEndpoint('POST /api/backtest/jobs', {
  summary: 'Queue a backtest of a bot (mode bot), of a model alone (mode model) or of a rule (mode rule).',
  access: 'manager',
  touches: [],
  body: BacktestRequest,
  bodyLimit: LARGEST_REQUEST_BYTES,
  reply: z.object({ jobId: z.uuid() }),
  errors: [...jobErrors, 'too_many_requests'],
})

export const modelBacktest = tradingEndpoint('POST /api/ml/backtest', {
  summary: 'Queue a backtest of a model alone.',
  access: 'manager',
  touches: [],
  body: ModelBacktestRequest,
  bodyLimit: LARGEST_REQUEST_BYTES,
  reply: z.object({ jobId: z.uuid() }),
  errors: [...jobErrors, 'too_many_requests'],
})

export const backtestJob = tradingEndpoint('GET /api/backtest/jobs/:id', {
  summary: 'A backtest job: its status, progress and, once completed, its run.',
  reply: BacktestJob,
})

export const backtestRuns = tradingEndpoint('GET /api/backtest/runs', {
  publicPath: '/public/backtest/runs',
  summary: "Saved runs, the newest first: the caller's own and those of public bots (an admin sees all).",
  query: z.object({
    symbol: SymbolId.optional(),
    timeframe: Timeframe.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  reply: z.array(BacktestRunSummary),
})

export const runBacktest = tradingEndpoint('POST /api/backtest/run', {
  summary: 'As a job, but the reply waits for the run (25 seconds at most, then 503 with the job still running).',
  access: 'manager',
  touches: [backtestRuns],
  body: BacktestRequest,
  bodyLimit: LARGEST_REQUEST_BYTES,
  reply: BacktestRun,
  errors: [...jobErrors, 'too_many_requests', 'unprocessable', 'unavailable'],
})

export const backtestRun = tradingEndpoint('GET /api/backtest/runs/:id', {
  publicPath: '/public/backtest/runs/:id',
  summary: 'One saved run with its trades, equity curve and predictions.',
  reply: BacktestRun,
})

/** What a file of a saved run holds. */
export const RUN_PARTS = ['trades', 'equity'] as const
export const FILE_FORMATS = ['csv', 'parquet'] as const

export const exportBacktestRun = tradingEndpoint('GET /api/backtest/runs/:id/export', {
  publicPath: '/public/backtest/runs/:id/export',
  summary: 'The trades or the equity of a saved run as a CSV or Parquet file. Times are UTC.',
  query: z.object({ part: z.enum(RUN_PARTS).default('trades'), format: z.enum(FILE_FORMATS).default('csv') }),
  ...fileOf('application/octet-stream'),
})

export const changeBacktestRun = tradingEndpoint('PATCH /api/backtest/runs/:id', {
  summary: 'Give a saved run a name or a note. Its own user or an admin.',
  touches: [backtestRuns, backtestRun],
  body: RunNotes.partial().refine(
    ({ name, note }) => name !== undefined || note !== undefined,
    'Give a name or a note',
  ),
  reply: BacktestRunSummary,
})

export const deleteBacktestRun = tradingEndpoint('DELETE /api/backtest/runs/:id', {
  summary: 'Delete a saved run with its trades and curves. Its own user or an admin.',
  touches: [backtestRuns],
})
