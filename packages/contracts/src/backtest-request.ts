import { z } from 'zod'
import { InitialBalance, MarketType, PositionSize, RuleOrigin, RuleText, Sizing } from './bots.ts'
import { COST_DEFAULTS, FeeRate, MAKER_DEARER, PostOnly, SlippageBps } from './costs.ts'
import { SentCandle, SymbolId } from './market.ts'
import { ModelVersion } from './ml.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs } from './units.ts'

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
  from: epochMs().int().nonnegative().optional(),
  to: epochMs().int().nonnegative().optional(),
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
