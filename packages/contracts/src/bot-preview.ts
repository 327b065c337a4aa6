import { z } from 'zod'
import { Edge } from './bot-evidence.ts'
import { BotDraft, BotParameters } from './bots.ts'
import { costsObstacle, PostedOrders, PostOnly } from './costs.ts'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { Policy, policyObstacle, wrongDrawdown } from './policies.ts'
import { Timeframe } from './timeframes.ts'
import { bps, epochMs, pct, quote, ratio } from './units.ts'

const { strategy, tradingPairs, maxDrawdown, riskLevel, initialBalance, marketType, takeProfitPct, stopLossPct } =
  BotDraft.shape

/** Why a simulated market has no preview. */
export const SIMULATED_PREVIEW =
  'This market is simulated: its prices are made up, and the history of real coins does not apply to it.'

/** What of a new bot its money depends on; a whole BotDraft may be sent. */
export const BotPreviewRequest = z
  .object({
    strategy,
    tradingPairs,
    maxDrawdown,
    riskLevel,
    initialBalance,
    marketType,
    takeProfitPct,
    stopLossPct,
    parameters: BotParameters.pick({ policy: true, timeframe: true, mostTraded: true, costs: true }).optional(),
  })
  .superRefine((bot, ctx) => {
    const refuse = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    const { policy = 'signal', timeframe = '1h' } = bot.parameters ?? {}
    const drawdown = wrongDrawdown(bot.maxDrawdown, policy)
    if (new Set(bot.tradingPairs).size !== bot.tradingPairs.length)
      refuse(['tradingPairs'], 'Each trading pair must be named once')
    if (drawdown !== undefined) refuse(['maxDrawdown'], drawdown)
    if (policy !== 'signal' && (bot.takeProfitPct > 0 || bot.stopLossPct > 0))
      refuse(
        [bot.stopLossPct > 0 ? 'stopLossPct' : 'takeProfitPct'],
        'A preview has neither stop-loss nor take profit: set them to 0, or create the bot and backtest it',
      )
    const obstacle =
      policyObstacle({ ...bot, ...bot.parameters, policy, timeframe }) ??
      costsObstacle({ ...bot, policy, timeframe, costs: bot.parameters?.costs })
    if (obstacle !== null) refuse(['parameters', obstacle.field], obstacle.message)
  })
export type BotPreviewRequest = z.infer<typeof BotPreviewRequest>

/** What one way to hold the pairs did over a stretch of candles, costs included. Money in quote. */
const PreviewRun = z.object({
  finalBalance: quote(),
  totalReturnPct: pct(),
  /** Deepest fall from a peak of the equity at closes, percent, 0 or positive. */
  maxDrawdownPct: pct(),
  /** Open time of the candle at whose close the drawdown limit was reached; null where it was not. */
  haltedAt: epochMs().nullable(),
  /** Orders filled. */
  orders: z.number().int(),
  /** Orders that were wanted and lay below the market's smallest one. */
  tooSmall: z.number().int(),
  /** Fees, and what slippage cost. */
  costs: z.number(),
  /** Notional traded over equity, a year. */
  turnoverPerYear: z.number(),
  /** What was held on average, percent of the equity. */
  heldPct: pct(),
  /** Left out where nothing rested. */
  posted: PostedOrders.optional(),
})

/** Quantiles over the years, by linear interpolation. */
const PreviewBand = z.object({
  lowest: z.number(),
  p5: z.number(),
  p25: z.number(),
  median: z.number(),
  p75: z.number(),
  p95: z.number(),
  highest: z.number(),
})

const PreviewYears = z.object({
  returnPct: PreviewBand,
  maxDrawdownPct: PreviewBand,
  /** Return since the start after each twelfth of the year (730 hours), at the last close until then; the 12th is `returnPct`. */
  returnPctByMonth: z.array(PreviewBand).length(12),
})

export const BotPreview = z.object({
  policy: Policy,
  symbols: z.array(SymbolId),
  timeframe: Timeframe,
  /** Closes of the first decision and of the last candle, ms. */
  from: epochMs(),
  to: epochMs(),
  /** Candles between them, of the pair that has the most. */
  candles: z.number().int(),
  /** Ratio of the notional, on each fill. */
  feeRate: ratio(),
  slippageBps: bps(),
  /** Left out where rebalances take at once. */
  postOnly: PostOnly.optional(),
  /** The market's smallest order of a pair, quote: the largest among the pairs; 0 where none is known. */
  minimumOrder: z.number(),
  /** From which balance on the policy's orders are worth as much, and half of it; null where no smallest order is known. */
  smallestBalance: z.object({ works: z.number(), refusedBelow: z.number() }).nullable(),
  /** With the settings as they are. */
  policyRun: PreviewRun,
  /** Equal parts of the pairs bought at the same moment and kept, without a limit. */
  holdRun: PreviewRun,
  /** The same settings on each pair alone, with all of the balance and over all that is stored of it; of one pair, none. */
  alone: z.array(
    z.object({
      symbol: SymbolId,
      /** Closes of its first decision and of its last candle, ms. */
      from: epochMs(),
      to: epochMs(),
      policyRun: PreviewRun,
      holdRun: PreviewRun,
    }),
  ),
  /** Its edge over holding as much on average; null of less than three days. */
  edge: Edge.nullable(),
  /** A year each from every seventh day on, overlapping; null where less than a year is stored. */
  years: z
    .object({
      starts: z.number().int(),
      daysBetween: z.number().int(),
      /** How many of them the drawdown limit ended early. */
      halted: z.number().int(),
      policy: PreviewYears,
      hold: PreviewYears,
    })
    .nullable(),
})
export type BotPreview = z.infer<typeof BotPreview>

export const previewBot = tradingEndpoint('POST /api/bots/preview', {
  summary:
    'What these settings would have done on the candles that are stored here, beside buying the pairs and keeping them. For policies that need no model; nothing is created.',
  touches: [],
  body: BotPreviewRequest,
  reply: BotPreview,
  errors: ['needs_model', 'simulated_market', 'no_candles', 'too_few_candles', 'unknown_symbol', 'too_many_requests'],
})
