import type { BotDecision, DecisionRule } from '@shapecast/contracts/bot-decisions'

/** Decisions shown before more are asked for. */
export const DECISIONS_SHOWN = 12

const RULES: Record<DecisionRule, string> = {
  signal: 'Model signal',
  unanimous: 'Unanimous',
  majority: 'Majority',
  weighted: 'Weighted',
  confidence_threshold: 'Most confident',
  disagreement_hold: 'Disagreement: hold',
  disagreement_skip: 'Disagreement: skip',
  disagreement_tie: 'Tie',
  disagreement_highest_confidence: 'Most confident of all',
  no_votes: 'No model answered',
  below_cost: 'Below cost',
  target: 'Target share',
  within_band: 'Within the band',
  not_decision_hour: 'Not its hour',
  paused: 'Paused',
  halted: 'Drawdown limit',
  missed: 'Missed candle',
  openai: 'OpenAI',
  rule: 'Own rule',
  order_skipped: 'Order not possible',
}
export const ruleWords = (rule: DecisionRule): string => RULES[rule]

const ACTIONS = {
  opened_long: 'Opened long',
  opened_short: 'Opened short',
  increased: 'Bought more',
  reduced: 'Sold a part',
  closed: 'Closed',
  reversed: 'Reversed',
  held: 'Kept',
  no_order: 'No order',
} as const satisfies Record<BotDecision['action'], string>
export const actionWords = (action: BotDecision['action']): string => ACTIONS[action]

/** Whether a decision led to an order. */
export const isOrder = (action: BotDecision['action']): boolean => action !== 'no_order' && action !== 'held'

/** The versions that voted in any of the decisions, in the order of their first vote. */
export const votersOf = (decisions: readonly Pick<BotDecision, 'votes'>[]): string[] => [
  ...new Set(decisions.flatMap(({ votes }) => votes.map(({ version }) => version))),
]
