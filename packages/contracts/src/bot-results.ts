import { z } from 'zod'
import { DecisionAction, DecisionRule } from './bot-decisions.ts'
import { PostedOrders } from './costs.ts'
import { tradingEndpoint } from './endpoint.ts'
import { epochMs, pct, quote } from './units.ts'

/** What closed trades made, after their costs. Quote; null without one of the kind. Definitions: docs/bots.md. */
export const TradeResults = z.object({
  trades: z.number().int(),
  expectancy: z.number().nullable(),
  averageWin: z.number().nullable(),
  /** 0 or less. */
  averageLoss: z.number().nullable(),
  longestLosingRun: z.number().int(),
  fees: quote(),
})
export type TradeResults = z.infer<typeof TradeResults>

export const BotMonth = z.object({
  /** Open times of its first and last candle, ms. */
  from: epochMs(),
  to: epochMs(),
  /** What the equity gained, quote and percent. */
  pnl: z.number(),
  returnPct: pct(),
  /** The pairs held instead; null where a price is unknown. */
  holdPct: pct().nullable(),
  maxDrawdownPct: pct(),
  /** Entered in the month and closed since. */
  trades: z.number().int(),
})
export type BotMonth = z.infer<typeof BotMonth>

export const BotResults = TradeResults.extend({
  /** Of its closes those at which it held something, and what it held on average against its equity; null before the first. */
  timeInMarketPct: pct().nullable(),
  exposurePct: pct().nullable(),
  /** Quote that fills cost against the closes at which they were decided, negative where they were better; null without any. */
  slippage: z.object({ paid: z.number(), orders: z.number().int() }).nullable(),
  /** What became of post-only orders; left out where there were none. */
  posted: PostedOrders.optional(),
  /** UTC, the oldest first. */
  months: z.array(BotMonth),
  /** Years, UTC, in which trades closed, the newest first. */
  years: z.array(z.number().int()),
  /** How often it decided what, the commonest first. */
  decisions: z.array(z.object({ action: DecisionAction, rule: DecisionRule, count: z.number().int() })),
})
export type BotResults = z.infer<typeof BotResults>

export const botResults = tradingEndpoint('GET /api/bots/:id/results', {
  publicPath: '/public/bots/:id/results',
  summary:
    'What a bot has made so far: expectancy, average win and loss, time in the market, exposure, slippage, its months, and how often it decided what.',
  reply: BotResults,
})
