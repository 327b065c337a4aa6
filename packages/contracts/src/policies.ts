import { z } from 'zod'
import { TIMEFRAME_MS, type Timeframe } from './timeframes.ts'

/** How a bot makes trades out of what it knows. `signal` acts on BUY and SELL; the others hold a share of the equity. */
export const Policy = z.enum(['signal', 'model_brake', 'steady_risk', 'trend_steady_risk', 'fixed_share'])
export type Policy = z.infer<typeof Policy>
/** A policy that decides a share of the equity once a day. */
export type TargetPolicy = Exclude<Policy, 'signal'>

/** Each policy by name, with the one sentence that people read before they choose it. Figures: docs/bots.md. */
export const POLICIES: Readonly<Record<Policy, { readonly name: string; readonly sentence: string }>> = {
  signal: {
    name: 'Model signal',
    sentence: "Trades the model's direction. In the past costs took more than it earned.",
  },
  model_brake: {
    name: 'Model as brake',
    sentence: 'The model sizes the position; it has not been shown to raise returns.',
  },
  steady_risk: {
    name: 'Steady risk',
    sentence:
      'Holds less when the market is wild. From 2022 to 2025 this cut the worst loss of five coins from 73% to 48% on average; it predicts no direction and loses in a falling market.',
  },
  trend_steady_risk: {
    name: 'Trend with steady risk',
    sentence: 'Steps aside in long declines. Worst past loss about 30%; it costs 1–2% a year and lags in strong rises.',
  },
  fixed_share: {
    name: 'Fixed share',
    sentence: 'Half invested, no forecast: half the ups, half the downs. Measure everything else against this.',
  },
}

/** Yearly volatility that a risk level aims at, percent. */
export const RISK_PCT_A_YEAR = { low: 20, medium: 40, high: 60 } as const

/** Why stops are off by default: shown beside their fields. */
export const STOPS_HINT =
  'Off by default: on past years stops and targets made bots that hold worse (Sharpe ratio 0.32 to 0.76 lower), the tighter the worse.'

const FINEST_MS = TIMEFRAME_MS['15m']

/** Why a bot cannot follow a policy, and the field to change; null where it can. */
export function policyObstacle(bot: {
  policy: Policy
  strategy: 'ml' | 'openai'
  marketType: 'spot' | 'futures'
  timeframe: Timeframe
}): { field: 'policy' | 'timeframe'; message: string } | null {
  if (bot.policy === 'signal') return null
  if (bot.strategy === 'openai')
    return { field: 'policy', message: 'An openai bot trades its signal; choose the policy signal' }
  if (bot.marketType === 'futures')
    return { field: 'policy', message: 'A policy that holds a share of the equity trades spot only' }
  if (TIMEFRAME_MS[bot.timeframe] < FINEST_MS)
    return { field: 'timeframe', message: 'A policy decides once a day: choose 15m or longer candles' }
  return null
}
