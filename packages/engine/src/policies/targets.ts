import {
  holdsShare,
  POLICY_BANDS,
  type Policy,
  RISK_PCT_A_YEAR,
  type TargetPolicy,
} from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '../candles.ts'
import { squaredReturns, steadyVolatilities, trendShare } from './measures.ts'
import { trendVotes } from './trend-votes.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** A policy that holds a share of the equity, as a plan has it. Plain JSON. */
export interface TargetPlan {
  readonly policy: TargetPolicy
  /** Yearly volatility that it aims at, ratio. */
  readonly risk: number
  /** Pairs that share the balance: each one's target is divided by their number. */
  readonly pairs: number
  /** These are the most traded of the bot's pairs, month by month; left out where it holds all of them. */
  readonly mostTraded?: true
  /** Trades only where the target is at least this share of the equity away from what is held. */
  readonly band: number
  /** It decides at the first close at or after this hour of the day, UTC, at which it can: once a day. */
  readonly decisionHour: number
}

/** The targets of a bot; null where it trades the signal. */
export function targetPlanOf(bot: {
  readonly policy: Policy
  readonly riskLevel: keyof typeof RISK_PCT_A_YEAR
  readonly pairs: number
  readonly mostTraded?: boolean
}): TargetPlan | null {
  const { policy, riskLevel, pairs, mostTraded = false } = bot
  if (!holdsShare(policy)) return null
  return {
    policy,
    risk: RISK_PCT_A_YEAR[riskLevel] / 100,
    pairs,
    ...(mostTraded && { mostTraded }),
    band: POLICY_BANDS[policy] / pairs,
    decisionHour: 0,
  }
}

/** The day (days since 1970, each from the plan's hour on, UTC) to which a close at `closeMs` belongs. */
export const closingDay = (plan: TargetPlan, closeMs: number): number =>
  Math.floor((closeMs - plan.decisionHour * HOUR_MS) / DAY_MS)

/**
 * The share of the equity (0–1) that a plan wants to hold from the close of candle `i` on, from the candles up to it.
 * `modelVolatility` is the yearly one of its model, of an ensemble the widest, and counts for `model_brake` alone. NaN
 * where too little is known, which holds what is held. The definitions are docs/bots.md.
 */
export function targetAt(
  plan: TargetPlan,
  candles: Candles,
  i: number,
  timeframe: Timeframe,
  modelVolatility: number,
): number {
  return targetsOf(plan, candles, timeframe)(i, modelVolatility)
}

/** What a plan wants at each close, from columns that are made once. */
function targetsOf(
  plan: TargetPlan,
  candles: Candles,
  timeframe: Timeframe,
): (i: number, modelVolatility: number) => number {
  const { close } = candles
  const volatilityAt = steadyVolatilities(squaredReturns(close), timeframe)
  const votes = plan.policy === 'trend_ensemble' ? trendVotes(candles, timeframe) : null
  const steady = (volatility: number): number =>
    Number.isNaN(volatility) ? Number.NaN : Math.min(1, plan.risk / volatility)
  const wholes: Record<TargetPolicy, (i: number, modelVolatility: number) => number> = {
    fixed_share: () => 0.5,
    steady_risk: (i) => steady(volatilityAt(i)),
    trend_steady_risk: (i) => trendShare(close, i, timeframe) * steady(volatilityAt(i)),
    trend_ensemble: (i) => votes!(i) * steady(volatilityAt(i)),
    model_brake: (i, modelVolatility) => steady(Math.max(volatilityAt(i), modelVolatility)),
  }
  const whole = wholes[plan.policy]
  return (i, modelVolatility) => whole(i, modelVolatility) / plan.pairs
}

/** The widest of the models' volatilities at a close; NaN where one of them could not forecast, or none was asked. */
export const widestVolatility = (volatilities: readonly number[]): number =>
  volatilities.length === 0 ? Number.NaN : Math.max(...volatilities)

/**
 * `targetAt` at the closes from candle `from` on at which the plan decides, NaN at the others: the same bits as asked
 * for one by one. `modelVolatilities` are those of each model, from candle `from` on.
 */
export function targetColumn(
  plan: TargetPlan,
  candles: Candles,
  from: number,
  timeframe: Timeframe,
  modelVolatilities: readonly Float64Array[],
): Float64Array {
  const targetOf = targetsOf(plan, candles, timeframe)
  let decidedDay = Number.NEGATIVE_INFINITY
  return Float64Array.from({ length: candles.length - from }, (_, k) => {
    const day = closingDay(plan, candles.ts[from + k]! + TIMEFRAME_MS[timeframe])
    if (day <= decidedDay) return Number.NaN
    const widest = widestVolatility(modelVolatilities.map((of) => of[k]!))
    const target = targetOf(from + k, widest)
    // A day that is not decided yet is decided at its next close.
    if (!Number.isNaN(target)) decidedDay = day
    return target
  })
}
