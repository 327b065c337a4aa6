import { z } from 'zod'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { pct } from './units.ts'

export const PortfolioSpan = z.enum(['30d', '90d', 'all'])
export type PortfolioSpan = z.infer<typeof PortfolioSpan>

const Point = z.object({ t: z.number(), pct: pct() })

/** How bots of one kind of money did together, to now. Deposits, resets, new and deleted bots count neither as profit nor as loss. */
export const PortfolioHistory = z.object({
  /** Time-weighted, percent since the first point; at full hours and now, thinned. */
  points: z.array(Point),
  /** The pairs of the bots that there are now held instead, each with what its bot had. Empty where a price is unknown. */
  hold: z.array(Point),
  /** Percent below the highest of the span: now, and at worst. */
  drawdownPct: pct(),
  worstDrawdownPct: pct(),
})
export type PortfolioHistory = z.infer<typeof PortfolioHistory>

/** How one bot stands beside what it could be compared with. */
export const BotCourse = z.object({
  botId: z.uuid(),
  /** Its equity in that time, quote, the oldest first and thinned. */
  values: z.array(z.number()),
  /** Percent that its pairs held in equal shares made since its first candle; null where a price is unknown. */
  holdPct: pct().nullable(),
  /** Percent below the peak of its equity now. */
  drawdownPct: pct(),
})
export type BotCourse = z.infer<typeof BotCourse>

export const portfolio = tradingEndpoint('GET /api/portfolio', {
  summary:
    "How the caller's bots did together, deleted ones included, and the course of each. Virtual and real money apart.",
  query: z.object({ span: PortfolioSpan.default('30d') }),
  reply: z.object({
    /** Null without a bot of that kind that was ever started. */
    virtual: PortfolioHistory.nullable(),
    real: PortfolioHistory.nullable(),
    courses: z.array(BotCourse),
  }),
})

export const exportBots = tradingEndpoint('POST /api/bots/export', {
  summary:
    "Bots that the caller sees as CSV, those of `ids` in that order or all of them, each with its figures as they are; of the caller's own also the course.",
  access: 'user',
  touches: [],
  body: z.object({ ids: z.array(z.uuid()).max(1500).optional() }),
  ...fileOf('text/csv'),
})

export const exportBotPositions = tradingEndpoint('GET /api/bots/positions/export', {
  summary: "All that the caller's bots hold as CSV, the largest first.",
  access: 'user',
  ...fileOf('text/csv'),
})
