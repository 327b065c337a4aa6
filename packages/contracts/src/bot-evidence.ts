import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { epochMs, pct } from './units.ts'

/** Evidence at which "no better" or "no worse" than holding is given up. Both together are wrongly given up in at most 5 %. */
export const DECIDED_AT = 40
/** Days that differ from holding before the evidence begins to count. */
export const WATCHED_DAYS = 30

/** An edge over holding as much, and how long it takes to be told from luck, as likely as not. */
export const Edge = z.object({
  /** Points a year, below 0 where holding as much did better. */
  pctAYear: pct(),
  /** How far it moves around that in a year. */
  volatilityPct: pct(),
  /** Years of daily looks; null where there is nothing to tell. An edge below 0 takes as long to be told. */
  years: z.number().nullable(),
})
export type Edge = z.infer<typeof Edge>

export const BotEvidence = z.object({
  /** Final once it is `better` or `worse`: the day on which the evidence reached 40 decides. */
  verdict: z.enum(['too_early', 'undecided', 'better', 'worse']),
  /** UTC days that count, each from 00:00 to 00:00. */
  days: z.number().int(),
  /** Those of them that differ from holding. */
  differingDays: z.number().int(),
  /** Beginning of the first day; null without one. ms. */
  from: epochMs().nullable(),
  /** End of the day that decided. ms. */
  decidedAt: epochMs().nullable(),
  /** Sum over the days of what each brought over holding as much, points. */
  overHolding: pct(),
  /** What the days so far would say of a year; null before the evidence counts. */
  edge: Edge.nullable(),
  /** How much the days speak for better and for worse than holding: 1 is nothing, 40 decides. At ends of days, thinned. */
  points: z.array(z.object({ t: z.number(), better: z.number(), worse: z.number() })),
  /** False where a price of a pair is not known from its first day on: then nothing is compared. */
  isPriced: z.boolean(),
})
export type BotEvidence = z.infer<typeof BotEvidence>

export const botEvidence = tradingEndpoint('GET /api/bots/:id/evidence', {
  publicPath: '/public/bots/:id/evidence',
  summary:
    'Whether a bot is told from luck to be better or worse than holding as much of its pairs. May be looked at daily: of bots that are neither, at most 5 % are ever called one.',
  reply: BotEvidence,
})
