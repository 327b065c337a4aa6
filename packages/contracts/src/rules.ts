import { z } from 'zod'
import { BACKTEST_DEFAULTS } from './backtest-request.ts'
import { Metrics, RandomEntries, Trade } from './backtest-results.ts'
import { InitialBalance, MarketType, RuleText, Sizing } from './bots.ts'
import { tradingEndpoint } from './endpoint.ts'
import { Interval } from './evaluation.ts'
import { FundingAssumed } from './funding.ts'
import { SymbolId } from './market.ts'
import { Timeframe } from './timeframes.ts'
import { LAB_CANDLES, Trials } from './trials.ts'
import { bps, epochMs, pct, quote, ratio } from './units.ts'

/** A rule as blocks: what stands in them is docs/rules.md. */
const Blocks = z.record(z.string(), z.unknown())

export const CheckedRule = z.object({
  /** As the program writes it. */
  rule: z.string(),
  blocks: Blocks,
  /** Candles before a close on which its decision rests. */
  looksBackCandles: z.number().int(),
  /** Whether it looks at a model's forecast. */
  asksModel: z.boolean(),
  /** Whether it enters short. */
  needsFutures: z.boolean(),
})
export type CheckedRule = z.infer<typeof CheckedRule>

export const checkRule = tradingEndpoint('POST /api/rules/check', {
  touches: [],
  summary:
    'A rule as text and as blocks, from either: to save it as a file, to read one, or to see what is wrong with it. The data of an error has the place (offset, length) and a suggestion.',
  body: z
    .object({ rule: RuleText.optional(), blocks: Blocks.optional() })
    .refine(({ rule, blocks }) => (rule === undefined) !== (blocks === undefined), 'Give a rule as text or as blocks'),
  reply: CheckedRule,
})

export const ruleLibrary = tradingEndpoint('GET /api/rules/library', {
  publicPath: '/public/rules/library',
  summary:
    'Published rules, each with its source and what it did on one named stretch of daily candles, costs included.',
  reply: z.object({
    stretch: z.object({
      symbol: SymbolId,
      timeframe: Timeframe,
      /** Days, UTC; the second is left out. */
      from: z.string(),
      to: z.string(),
      /** What holding did. */
      holdPct: pct(),
    }),
    rules: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        source: z.string(),
        rule: z.string(),
        did: z.object({
          totalReturnPct: pct(),
          maxDrawdownPct: pct(),
          trades: z.number().int(),
          investedPct: pct(),
          /** Beside random entries; null of fewer than 30 trades. */
          p: z.number().nullable(),
        }),
      }),
    ),
  }),
})

export const RulePreviewRequest = z.object({
  rule: RuleText,
  symbol: SymbolId,
  timeframe: Timeframe.default(BACKTEST_DEFAULTS.timeframe),
  /** The newest so many candles, or the last ones up to `to`. */
  limit: z.number().int().min(100).max(100_000).default(LAB_CANDLES),
  /** Open time of the last candle, ms. */
  to: epochMs().int().nonnegative().optional(),
  marketType: MarketType.default('spot'),
  leverage: z.number().int().min(1).max(100).default(1),
  initialBalance: InitialBalance.default(1000),
  /** All the money where none is given. */
  sizing: Sizing.optional(),
  feeRate: ratio().min(0).max(0.1).default(BACKTEST_DEFAULTS.feeRate),
  slippageBps: bps().min(0).max(1000).default(BACKTEST_DEFAULTS.slippageBps),
})
export type RulePreviewRequest = z.infer<typeof RulePreviewRequest>

export const RulePart = z.enum(['enter', 'exit', 'short', 'cover'])

export const RulePreview = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  /** Open times of the first and the last candle that was looked at, ms. */
  from: epochMs(),
  to: epochMs(),
  candles: z.number().int(),
  /** The last fifth, which no preview shows: a rule that was shaped by looking at it could not be judged by it. */
  hiddenCandles: z.number().int(),
  /** Each condition of each part, in the order in which they are written. */
  conditions: z.array(
    z.object({
      part: RulePart,
      text: z.string(),
      /** Share of the candles at whose close it held, percent. */
      truePct: pct(),
      /** Share of the candles, percent, at which its part would be another without it. */
      decidesPct: pct(),
      /** Of `exit` and `cover`: closed trades at whose last decision it held. */
      fired: z.number().int().nullable(),
    }),
  ),
  /** Each part as a whole. */
  parts: z.array(z.object({ part: RulePart, truePct: pct() })),
  /** Closed trades by what closed them. */
  exits: z.array(z.object({ reason: Trade.shape.exitReason, count: z.number().int() })),
  metrics: Metrics,
  fundingAssumed: FundingAssumed,
  investedPct: pct(),
  /** Equity at closes, quote; thinned. */
  equityCurve: z.array(z.object({ t: epochMs(), equity: quote() })),
  /** The newest 200; of one that a condition closed, the conditions that held. */
  trades: z.array(Trade.extend({ because: z.string().optional() })),
  randomEntries: RandomEntries,
  /** 95 % of the share of trades that won, 0–1; null without trades. */
  winInterval: Interval.nullish(),
  /** By this user on this series, this preview included. */
  trials: Trials,
})
export type RulePreview = z.infer<typeof RulePreview>

export const previewRule = tradingEndpoint('POST /api/rules/preview', {
  touches: [],
  summary:
    'What a rule would have done on stored candles, the last fifth left out; nothing is kept. For rules that look at no model: test the others by a backtest.',
  body: RulePreviewRequest,
  reply: RulePreview,
  errors: ['needs_model', 'no_candles', 'too_few_candles', 'unknown_symbol', 'too_many_requests'],
})
