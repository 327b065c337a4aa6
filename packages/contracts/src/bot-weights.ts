import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { epochMs, pct, quote, ratio } from './units.ts'

export const BotWeight = z.object({
  symbol: SymbolId,
  /** What is held now, percent of the equity, and what the last decision wants; null before one. */
  nowPct: pct(),
  targetPct: pct().nullable(),
  /** Quote. */
  worth: quote(),
  /** Of a year, by the moves of each candle, which count half after 30 days; null before a week of candles. */
  volatilityPct: pct().nullable(),
  /** Its part of how far the whole moves; null where nothing is held, or a pair that is held has no correlation yet. */
  riskPct: pct().nullable(),
  /** `no_target`: no decision has wanted anything of it yet, as too few candles are known. `silent`: others have candles that it lacks; its weight is kept. */
  state: z.enum(['follows', 'no_target', 'silent']),
  /** Close of its newest candle, ms; null without one. */
  lastAt: epochMs().nullable(),
})
export type BotWeight = z.infer<typeof BotWeight>

/** The most traded of a bot's pairs, which it holds for a month. */
const HeldUniverse = z.object({
  count: z.number().int(),
  /** Beginning of the month, ms UTC. */
  since: epochMs(),
  held: z.array(SymbolId),
  /** Against the month before. */
  came: z.array(SymbolId),
  left: z.array(SymbolId),
})

export const BotWeights = z.object({
  pairs: z.array(BotWeight),
  /** Null where it holds all of its pairs. */
  universe: HeldUniverse.nullable(),
  /** Percent of the equity that is not held. */
  cashPct: pct(),
  /** Quote. */
  equity: quote(),
  /** How far the whole moves in a year as it is held now; null as `riskPct`. */
  volatilityPct: pct().nullable(),
  /** A pair may move this far from its target before it is traded, points. */
  bandPct: pct(),
  /** Between two pairs each, by the same moves; those that are not known yet are left out. */
  correlations: z.array(z.object({ a: SymbolId, b: SymbolId, value: ratio() })),
})
export type BotWeights = z.infer<typeof BotWeights>

export const botWeights = tradingEndpoint('GET /api/bots/:id/weights', {
  publicPath: '/public/bots/:id/weights',
  summary:
    'What a bot that holds a share of its equity holds of each pair beside its targets, how its pairs move together, and which of them carries how much of the risk.',
  reply: BotWeights,
  errors: ['not_found', 'unprocessable'],
})
