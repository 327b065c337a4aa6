import { z } from 'zod'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { epochMs, pct, quote } from './units.ts'

/** An order that brings a pair to its target; amounts in quote. */
export const RebalanceOrder = z.object({
  symbol: SymbolId,
  side: z.enum(['buy', 'sell']),
  /** Base. */
  quantity: z.number(),
  /** At which it was filled, or is expected to be, quote per base. */
  price: z.number(),
  value: quote(),
  fee: z.number(),
  /** What that price costs against the one that was known before; below 0 it was better. */
  slippage: z.number(),
})
export type RebalanceOrder = z.infer<typeof RebalanceOrder>

const Left = z.object({ symbol: SymbolId, reason: z.string() })

export const RebalancePreview = z.object({
  /** In the order of their making: sales first. Empty where every pair stands at its target, or none may be moved now. */
  orders: z.array(RebalanceOrder),
  /** Pairs that are left as they are, and why. */
  left: z.array(Left),
  /** Why it may not be rebalanced now; null where it may. */
  obstacle: z.string().nullable(),
  /** When the oldest of its prices was made, by the market's clock, ms; null without one. */
  pricedAt: epochMs().nullable(),
  /** Fee and slippage of all orders, quote. */
  fees: quote(),
  slippage: z.number(),
})
export type RebalancePreview = z.infer<typeof RebalancePreview>

export const rebalancePreview = tradingEndpoint('GET /api/bots/:id/rebalance', {
  summary:
    'The orders that would bring every pair of a bot to its last target now, whatever its band, and what they are expected to cost. Its owner or an admin.',
  reply: RebalancePreview,
  errors: ['not_found', 'unprocessable'],
})

export const BotRebalance = z.object({
  /** When it was decided or asked for, by the market's clock, ms. */
  at: epochMs(),
  cause: z.enum(['daily', 'by_hand']),
  orders: z.array(RebalanceOrder),
  /** Orders that were wanted and not filled, and why. */
  left: z.array(Left),
  /** What was traded, percent of the equity at the close before; null where that is not known. */
  turnoverPct: pct().nullable(),
  /** Fees and slippage of its orders, quote. */
  costs: z.number(),
})
export type BotRebalance = z.infer<typeof BotRebalance>

export const botRebalances = tradingEndpoint('GET /api/bots/:id/rebalances', {
  publicPath: '/public/bots/:id/rebalances',
  summary:
    'How often a bot that holds a share of its equity was rebalanced, daily and by hand, what that cost, and the newest of them.',
  query: z.object({ limit: z.coerce.number().int().min(1).max(10_000).default(5) }),
  reply: z.object({
    total: z.number().int(),
    orders: z.number().int(),
    /** Fees and slippage of all of them, quote. */
    costs: z.number(),
    /** The newest first. */
    rebalances: z.array(BotRebalance),
  }),
  errors: ['not_found', 'unprocessable'],
})

export const exportRebalances = tradingEndpoint('GET /api/bots/:id/rebalances/export', {
  publicPath: '/public/bots/:id/rebalances/export',
  summary: 'The orders of all rebalances of a bot as CSV, the newest first.',
  access: 'user',
  errors: ['not_found', 'unprocessable'],
  ...fileOf('text/csv'),
})
