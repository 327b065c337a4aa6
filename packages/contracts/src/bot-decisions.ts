import { z } from 'zod'
import { NewestFirst } from './bot-trading.ts'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { Signal } from './ml.ts'
import { bps, epochMs, quote } from './units.ts'

/** Why a candle ended as it did. Closed, so that programs can count; `reason` says it in words. */
export const DecisionAction = z.enum([
  'opened_long',
  'opened_short',
  'increased',
  'reduced',
  'closed',
  'reversed',
  'held',
  'no_order',
])
export const DecisionRule = z.enum([
  'signal',
  'unanimous',
  'majority',
  'weighted',
  'confidence_threshold',
  'disagreement_hold',
  'disagreement_skip',
  'disagreement_tie',
  'disagreement_highest_confidence',
  'no_votes',
  'below_cost',
  'target',
  'within_band',
  'not_decision_hour',
  'paused',
  'halted',
  'missed',
  'openai',
  'rule',
  'order_skipped',
])
export type DecisionRule = z.infer<typeof DecisionRule>

export const BotVote = z.object({
  /** A model version, or `openai`. */
  version: z.string(),
  signal: Signal,
  /** 0–1. */
  confidence: z.number(),
  /** Calibrated probability that the price rises, 0–1; null for OpenAI. */
  pUp: z.number().nullable(),
  /** Expected edge after costs, basis points; null where unknown. */
  edgeBps: bps().nullable(),
})

export const BotDecision = z.object({
  id: z.uuid(),
  symbol: SymbolId,
  /** Open time of the candle at whose close it was decided, ms. */
  candleTs: epochMs(),
  votes: z.array(BotVote),
  rule: DecisionRule,
  signal: Signal,
  action: DecisionAction,
  /** One sentence for people. */
  reason: z.string(),
  /** Target share of the equity, 0–1, of a policy; else null. */
  target: z.number().nullable(),
  orderId: z.uuid().nullable(),
  decidedAt: epochMs(),
})
export type BotDecision = z.infer<typeof BotDecision>

/** A decision with its result. */
export const DoneDecision = BotDecision.extend({
  /** At which its order was filled on average, quote per base; null without a fill. */
  price: z.number().nullable(),
  /** What the trades made that it closed, quote, costs included; null where it closed none. */
  netPnL: quote().nullable(),
})
export type DoneDecision = z.infer<typeof DoneDecision>

export const DecisionLog = z.object({
  /** Answers "why does it (not) trade?" over the newest candles; null before the first decision. */
  summary: z.string().nullable(),
  /** When it decides next, ms: at the next close, of a policy that holds a share at the first one of the next day, UTC. Null while it is not active. */
  nextAt: epochMs().nullable(),
  decisions: z.array(DoneDecision),
})
export type DecisionLog = z.infer<typeof DecisionLog>

export const botDecisions = tradingEndpoint('GET /api/bots/:id/decisions', {
  publicPath: '/public/bots/:id/decisions',
  summary: 'What a bot decided at each candle and why, the newest first.',
  query: NewestFirst.extend({ show: z.enum(['all', 'orders', 'not_traded']).default('all') }),
  reply: DecisionLog,
})

export const exportDecisions = tradingEndpoint('GET /api/bots/:id/decisions/export', {
  summary: 'All decisions of a bot as CSV.',
  ...fileOf('text/csv'),
})
