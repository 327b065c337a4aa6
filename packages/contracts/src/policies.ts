import { z } from 'zod'
import { TIMEFRAME_MS, type Timeframe } from './timeframes.ts'

/**
 * How a bot makes trades out of what it knows. `signal` acts on BUY and SELL, `rule` on conditions that its owner wrote;
 * the others hold a share of the equity.
 */
export const Policy = z.enum([
  'signal',
  'model_brake',
  'steady_risk',
  'trend_steady_risk',
  'trend_ensemble',
  'fixed_share',
  'rule',
])
export type Policy = z.infer<typeof Policy>
/** A policy that decides a share of the equity once a day. */
export type TargetPolicy = Exclude<Policy, 'signal' | 'rule'>
/** Whether a policy holds a share of the equity. */
export const holdsShare = (policy: Policy): policy is TargetPolicy => policy !== 'signal' && policy !== 'rule'

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
  trend_ensemble: {
    name: 'Trend ensemble',
    sentence:
      'Nine trend rules vote; steps aside in declines. Worst past loss of BTC from 2022 to 2024 17% (holding: 67%); lags in rises and predicts nothing.',
  },
  fixed_share: {
    name: 'Fixed share',
    sentence: 'Half invested, no forecast: half the ups, half the downs. Measure everything else against this.',
  },
  rule: {
    name: 'Rule',
    sentence:
      'Enters and leaves by conditions that you write. Most rules that did well on the past were lucky: compare with random entries first.',
  },
}

/**
 * The loosest drawdown limit that a bot of a policy takes, percent of the peak; the tightest is 1. One that holds a share
 * of the equity falls with its market: half of the peak is no sign there that it is broken.
 */
export const mostDrawdownPct = (policy: Policy): number => (holdsShare(policy) ? 90 : 50)

/** What is wrong with the drawdown limit of a bot of this policy, in words; undefined where nothing is. */
export const wrongDrawdown = (pct: number | null, policy: Policy): string | undefined =>
  pct !== null && Number.isInteger(pct) && pct >= 1 && pct <= mostDrawdownPct(policy)
    ? undefined
    : `Max drawdown must be a whole number from 1 to ${mostDrawdownPct(policy)} percent`

/** Yearly volatility that a risk level aims at, percent. */
export const RISK_PCT_A_YEAR = { low: 20, medium: 40, high: 60 } as const

/** A policy trades only when its target is at least this share of the equity away from what is held. */
export const POLICY_BANDS: Readonly<Record<TargetPolicy, number>> = {
  model_brake: 0.15,
  steady_risk: 0.15,
  trend_steady_risk: 0.1,
  trend_ensemble: 0.1,
  fixed_share: 0.05,
}

/** Days of candles that a policy looks back over. It works with fewer when the market has no more. */
export const historyDays = (policy: TargetPolicy): number => (policy === 'trend_ensemble' ? 720 : 450)

const LEAST_HISTORY_DAYS: Readonly<Record<TargetPolicy, number>> = {
  model_brake: 7,
  steady_risk: 7,
  trend_steady_risk: 100,
  trend_ensemble: 60,
  fixed_share: 0,
}
/** Days of candles without which a policy decides nothing. */
export const leastHistoryDays = (policy: TargetPolicy): number => LEAST_HISTORY_DAYS[policy]

/** How many of its pairs a bot holds at a time. */
export const heldPairs = (bot: {
  readonly tradingPairs: readonly string[]
  readonly parameters?: { readonly mostTraded?: number | undefined } | null | undefined
}): number => Math.min(bot.tradingPairs.length, bot.parameters?.mostTraded ?? bot.tradingPairs.length)

const SAME_AT_ANY_RISK = (limit: number) => ({ low: limit, medium: limit, high: limit })
const DEFAULT_DRAWDOWNS: Readonly<Record<Policy, Readonly<Record<keyof typeof RISK_PCT_A_YEAR, number>>>> = {
  signal: SAME_AT_ANY_RISK(10),
  model_brake: { low: 40, medium: 65, high: 85 },
  steady_risk: { low: 40, medium: 65, high: 85 },
  trend_steady_risk: { low: 25, medium: 35, high: 50 },
  trend_ensemble: { low: 20, medium: 30, high: 40 },
  fixed_share: SAME_AT_ANY_RISK(80),
  rule: SAME_AT_ANY_RISK(30),
}
/**
 * The drawdown limit that a bot starts with, percent: one that about 1 in 100 past years of its policy reached, and more.
 * Of a rule nothing is known before it is tested.
 */
export const defaultDrawdown = (policy: Policy, riskLevel: keyof typeof RISK_PCT_A_YEAR): number =>
  DEFAULT_DRAWDOWNS[policy][riskLevel]

/** Quote; it serves five pairs at the usual smallest order of 10, and fixed share too. */
const POLICY_BALANCE = 1000
/** The balance that the form proposes: the spec's for the signal, else one whose orders the market takes. */
export const defaultBalance = (policy: Policy, pairs: number, minimumOrder?: number): number =>
  policy === 'signal' ? 10 : Math.max(POLICY_BALANCE, smallestBalance(policy, pairs, minimumOrder)?.works ?? 0)

/**
 * The balance (quote) from which on a policy's orders are worth the market's smallest order, and half of it, below which
 * several pairs would never trade: warn below the first, refuse below the second. Null for the signal and for a rule,
 * whose orders have the size that their owner gives.
 */
export function smallestBalance(
  policy: Policy,
  pairs: number,
  minimumOrder = 10,
): { readonly works: number; readonly refusedBelow: number } | null {
  if (!holdsShare(policy)) return null
  const works = Math.ceil((pairs * minimumOrder) / POLICY_BANDS[policy] - 1e-9)
  return { works, refusedBelow: works / 2 }
}

/** Why stops are off by default: shown beside their fields. */
export const STOPS_HINT =
  'Off by default: on past years stops and targets made bots that hold worse (Sharpe ratio 0.32 to 0.76 lower), the tighter the worse.'

const FINEST_MS = TIMEFRAME_MS['15m']

/** Why a bot cannot follow a policy, and the field to change; null where it can. */
export function policyObstacle(bot: {
  policy: Policy
  strategy: string
  marketType: 'spot' | 'futures'
  timeframe: Timeframe
  /** The text of a rule. */
  rule?: string | undefined
  isVirtual?: boolean
  isEnsemble?: boolean
  /** Of its pairs it holds so many. */
  mostTraded?: number | null | undefined
}): { field: 'policy' | 'timeframe' | 'rule' | 'mostTraded'; message: string } | null {
  if (bot.mostTraded != null && !holdsShare(bot.policy))
    return {
      field: 'mostTraded',
      message: 'Only a policy that holds a share of the equity holds the most traded of its pairs',
    }
  if (bot.policy === 'signal') return null
  if (bot.strategy !== 'ml')
    return {
      field: 'policy',
      message: `A bot with the strategy ${bot.strategy} trades its signal; choose the policy signal`,
    }
  if (bot.policy === 'rule') return ruleObstacle(bot)
  if (bot.marketType === 'futures')
    return { field: 'policy', message: 'A policy that holds a share of the equity trades spot only' }
  if (TIMEFRAME_MS[bot.timeframe] < FINEST_MS)
    return { field: 'timeframe', message: 'A policy decides once a day: choose 15m or longer candles' }
  return null
}

function ruleObstacle(bot: { rule?: string | undefined; isVirtual?: boolean; isEnsemble?: boolean }) {
  if (bot.rule === undefined || bot.rule === '') return { field: 'rule', message: 'Write the rule' } as const
  if (bot.isVirtual === false)
    return { field: 'policy', message: 'A rule trades virtual money only: its trailing stop and time need it' } as const
  if (bot.isEnsemble === true)
    return { field: 'policy', message: 'A rule looks at one model: choose one, not an ensemble' } as const
  return null
}
