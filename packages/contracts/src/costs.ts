import { z } from 'zod'
import { holdsShare, type Policy } from './policies.ts'
import { TIMEFRAME_MS, type Timeframe } from './timeframes.ts'
import type { Bps } from './units.ts'

/** What virtual orders and backtests pay where nothing else is chosen. */
export const COST_DEFAULTS = {
  /** Ratio of the notional, on each fill. */
  feeRate: 0.0006,
  slippageBps: 5,
} as const

/** Ratio of the notional, on each fill. */
export const FeeRate = z.number().min(0).max(0.1)
export const SlippageBps = z.number().min(0).max(1000)
/** Rebalances rest for an hour as post-only limit orders, which pay the fee of a maker, then they take. */
export const PostOnly = z.object({ makerFeeRate: FeeRate })

/** What the orders of a virtual bot cost; with real money what it reckons with, while the exchange charges its own. */
export const BotCosts = z.object({
  feeRate: FeeRate.default(COST_DEFAULTS.feeRate),
  slippageBps: SlippageBps.default(COST_DEFAULTS.slippageBps),
  postOnly: PostOnly.optional(),
})
export type BotCosts = z.infer<typeof BotCosts>

/** What became of resting orders, each beside taking at once: what that saved and what waiting lost, quote. */
export const PostedOrders = z.object({
  orders: z.number().int(),
  /** Those that filled at their limit; the rest took later. */
  filled: z.number().int(),
  saved: z.number(),
  lost: z.number(),
})
export type PostedOrders = z.infer<typeof PostedOrders>

export interface Fees {
  readonly makerBps: Bps
  readonly takerBps: Bps
}

export interface VenueFees extends Fees {
  /** As people read it. */
  readonly name: string
  readonly market: 'spot' | 'futures'
  readonly source: string
}

const BINANCE = 'https://www.binance.com/en/fee/trading'
const BYBIT = 'https://www.bybit.com/en/help-center/article/Trading-Fee-Structure'
const OKX = 'https://www.okx.com/fees'
const KRAKEN = 'https://www.kraken.com/features/fee-schedule'

/** As venues publish them for accounts that trade little (2026), with the discount of paying in their coin. Accounts differ by volume and country. */
export const VENUE_FEES: readonly VenueFees[] = [
  { name: 'Binance', market: 'spot', makerBps: 10, takerBps: 10, source: BINANCE },
  { name: 'Binance, paid in BNB', market: 'spot', makerBps: 7.5, takerBps: 7.5, source: BINANCE },
  { name: 'Bybit', market: 'spot', makerBps: 10, takerBps: 10, source: BYBIT },
  { name: 'OKX', market: 'spot', makerBps: 8, takerBps: 10, source: OKX },
  { name: 'Kraken', market: 'spot', makerBps: 25, takerBps: 40, source: KRAKEN },
  { name: 'Binance', market: 'futures', makerBps: 2, takerBps: 5, source: BINANCE },
  { name: 'Binance, paid in BNB', market: 'futures', makerBps: 1.8, takerBps: 4.5, source: BINANCE },
  { name: 'Bybit', market: 'futures', makerBps: 2, takerBps: 5.5, source: BYBIT },
  { name: 'OKX', market: 'futures', makerBps: 2, takerBps: 5, source: OKX },
  { name: 'Kraken', market: 'futures', makerBps: 2, takerBps: 5, source: KRAKEN },
]

/** By so much a maker must be cheaper: below it what is missed by waiting takes the saving. */
const BREAK_EVEN_BPS = 3
/** Whether post-only orders can be expected to save anything. The difference of fees alone is sure; slippage is an assumption. */
export const savesByPosting = ({ makerBps, takerBps }: Fees): boolean => takerBps - makerBps >= BREAK_EVEN_BPS - 1e-9

/** Why a bot cannot rest its rebalances as post-only orders; null where it can. */
export function postOnlyObstacle(bot: {
  policy: Policy
  timeframe: Timeframe
  takeProfitPct: number
  stopLossPct: number
}): string | null {
  if (!holdsShare(bot.policy)) return 'Post-only orders are for policies that hold a share of the equity'
  if (TIMEFRAME_MS[bot.timeframe] > TIMEFRAME_MS['1h'])
    return 'Post-only orders rest for an hour: choose candles of 1h or smaller'
  if (bot.takeProfitPct > 0 || bot.stopLossPct > 0) return 'Post-only orders need stop loss and take profit to be off'
  return null
}

export const MAKER_DEARER = 'The fee of a maker must be at most that of a taker'

/** Why a bot cannot have these costs, and the field to change; null where it can. */
export function costsObstacle(
  bot: Parameters<typeof postOnlyObstacle>[0] & { costs?: BotCosts | undefined },
): { field: 'costs'; message: string } | null {
  if (bot.costs === undefined) return null
  const { postOnly, feeRate } = bot.costs
  if (postOnly === undefined) return null
  const message = postOnly.makerFeeRate > feeRate ? MAKER_DEARER : postOnlyObstacle(bot)
  return message === null ? null : { field: 'costs', message }
}
