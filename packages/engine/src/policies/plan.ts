import { type Bot, ConsensusConfig } from '@shapecast/contracts/bots'
import type { BotCosts } from '@shapecast/contracts/costs'
import { heldPairs } from '@shapecast/contracts/policies'
import type { BacktestSettings } from '../backtest-settings.ts'
import {
  type Consensus,
  type ConsensusRule,
  consensusColumns,
  type ModelVotes,
  reachConsensus,
  type Vote,
} from '../consensus.ts'
import { DECISION } from '../decisions.ts'
import type { EngineSizing } from '../models/sizing.ts'
import { botRule } from '../rules/bot-rule.ts'
import { type Rule, ruleAsksModel } from '../rules/tree.ts'
import { type TargetPlan, targetPlanOf } from './targets.ts'

/** What a bot's owner chose that decides how it trades; a `Bot` has all of it. */
export type PlannedBot = Pick<
  Bot,
  | 'tradingPairs'
  | 'riskLevel'
  | 'marketType'
  | 'leverage'
  | 'positionSize'
  | 'initialBalance'
  | 'maxDrawdown'
  | 'takeProfitPct'
  | 'stopLossPct'
  | 'mlModelVersion'
  | 'mlModelVersions'
  | 'consensusConfig'
  | 'parameters'
  | 'isVirtual'
>

/** What trades on one pair without a bot of anybody's, with the usual settings. */
export const testedBot = (
  symbol: string,
  given: Partial<PlannedBot> & Pick<PlannedBot, 'initialBalance'>,
): PlannedBot => ({
  tradingPairs: [symbol],
  riskLevel: 'medium',
  marketType: 'spot',
  leverage: 1,
  positionSize: 0,
  maxDrawdown: 0,
  takeProfitPct: 0,
  stopLossPct: 0,
  mlModelVersion: null,
  mlModelVersions: null,
  consensusConfig: null,
  parameters: null,
  isVirtual: true,
  ...given,
})

/** How a bot trades, live and in backtests: whom it asks, how it decides, how its account reacts. Plain JSON. */
export interface Plan {
  /** One model version, or an ensemble's 2–5; empty: the version in production at the time. */
  readonly versions: readonly string[]
  /** How an ensemble decides; null for one model. */
  readonly consensus: ConsensusConfig | null
  /** A forecast without a positive edge after costs votes HOLD. */
  readonly requireEdge: boolean
  /** A policy that holds a share of the equity instead of following signals; left out where it follows them. */
  readonly targets?: TargetPlan
  /** The rule that it trades instead of following signals. */
  readonly rule?: Rule
  /** What its orders cost while it runs; left out: the usual. */
  readonly costs?: BotCosts
  /** What the owner decides of the settings; the rest is the market's and the series'. */
  readonly settings: Pick<
    BacktestSettings,
    | 'market'
    | 'initialBalance'
    | 'leverage'
    | 'sizing'
    | 'takeProfitPct'
    | 'stopLossPct'
    | 'trailingStopPct'
    | 'timeExitCandles'
    | 'maxDrawdownPct'
    | 'targetBand'
  >
}

/** The plan of a bot. Spot trades without leverage, whatever the bot says. Throws `bad_input` for a rule that cannot be read. */
export function planOf(bot: PlannedBot): Plan {
  const versions = bot.mlModelVersions ?? (bot.mlModelVersion === null ? [] : [bot.mlModelVersion])
  const policy = bot.parameters?.policy ?? 'signal'
  const rule = policy === 'rule' ? botRule(bot.parameters?.rule ?? '', bot.marketType, 'parameters.rule') : null
  const targets = targetPlanOf({
    policy,
    riskLevel: bot.riskLevel,
    pairs: heldPairs(bot),
    mostTraded: heldPairs(bot) < bot.tradingPairs.length,
  })
  return {
    versions,
    consensus: versions.length > 1 ? (bot.consensusConfig ?? ConsensusConfig.parse({})) : null,
    requireEdge: bot.parameters?.requireEdge ?? !bot.isVirtual,
    ...(targets === null ? {} : { targets }),
    ...(rule === null ? {} : { rule }),
    ...(bot.parameters?.costs === undefined ? {} : { costs: bot.parameters.costs }),
    settings: {
      market: bot.marketType,
      initialBalance: bot.initialBalance,
      leverage: bot.marketType === 'spot' ? 1 : bot.leverage,
      sizing: sizingOfBot(bot),
      takeProfitPct: nearer(bot.takeProfitPct, rule?.targetPct),
      stopLossPct: nearer(bot.stopLossPct, rule?.stopPct),
      ...(rule?.trailPct == null ? {} : { trailingStopPct: rule.trailPct }),
      ...(rule?.timeCandles == null ? {} : { timeExitCandles: rule.timeCandles }),
      // 0 is no limit: equity cannot fall by more than 100 percent.
      maxDrawdownPct: bot.maxDrawdown === 0 ? 100 : bot.maxDrawdown,
      ...(targets === null ? {} : { targetBand: targets.band }),
    },
  }
}

/** Whether a plan's decisions rest on models; the other policies need none. */
export function asksModels({ targets, rule }: Plan): boolean {
  if (rule !== undefined) return ruleAsksModel(rule)
  return targets === undefined || targets.policy === 'model_brake'
}

/** Of the bot's stop and its rule's, in percent, the one that acts first; 0 or nothing is off. */
const nearer = (own: number, rules: number | null | undefined): number =>
  own > 0 && rules != null ? Math.min(own, rules) : (rules ?? own)

/** `positionSize` in base, unless the parameters choose another kind. */
function sizingOfBot({ positionSize, parameters }: PlannedBot): EngineSizing {
  const chosen = parameters?.sizing
  return chosen === undefined || chosen.kind === 'fixed' ? { kind: 'fixed', quantity: positionSize } : chosen
}

/** What one model says at a close. `edgeBps`: expected gain of the called direction after a round trip's costs. */
export interface Forecast extends Vote {
  readonly edgeBps: number
}

/** A decision at a close, and how it came about. */
export interface Decided extends Omit<Consensus, 'rule'> {
  /** `no_edge`: the one model called a direction, without an edge. Null: its call was followed. */
  readonly rule: ConsensusRule | 'no_edge' | null
}

/**
 * Decides at one close by the forecasts of the plan's models; those that could not forecast are left out. Candle for
 * candle the same as `decideColumns`.
 */
export function decide(forecasts: readonly Forecast[], plan: Plan): Decided {
  const votes = forecasts.map(({ signal, confidence, edgeBps }) =>
    plan.requireEdge && !(edgeBps > 0) ? ({ signal: 'HOLD', confidence } as const) : { signal, confidence },
  )
  if (plan.consensus !== null || forecasts.length === 0)
    return reachConsensus(votes, plan.consensus ?? ConsensusConfig.parse({}))
  const { signal, confidence } = votes[0]!
  const rule = signal === forecasts[0]!.signal ? null : 'no_edge'
  return { signal, confidence, rule, acted: true }
}

/** One model's forecasts candle by candle: DECISION codes; confidence NaN where none was possible. */
export interface ForecastColumns {
  readonly signal: Int8Array
  readonly confidence: Float64Array
  readonly edgeBps: Float64Array
}

/**
 * `decide` for each candle: DECISION codes, and the confidence that stands behind a BUY or SELL, NaN elsewhere. Takes
 * the columns of one model or more.
 */
export function decideColumns(
  models: readonly ForecastColumns[],
  plan: Plan,
): { decisions: Int8Array; confidence: Float64Array } {
  const votes = models.map(
    (model): ModelVotes => ({
      signals: plan.requireEdge
        ? model.signal.map((code, i) => (model.edgeBps[i]! > 0 ? code : DECISION.HOLD))
        : model.signal,
      confidences: model.confidence,
    }),
  )
  const [only] = votes
  const { decisions, confidences } =
    plan.consensus === null
      ? { decisions: only!.signals, confidences: only!.confidences }
      : consensusColumns(votes, plan.consensus)
  return {
    decisions,
    confidence: Float64Array.from(confidences, (value, i) => (decisions[i] === DECISION.HOLD ? Number.NaN : value)),
  }
}
