import type { BotDecision } from '@shapecast/contracts/bot-decisions'

export const DECISION_HEADS = [
  'close',
  'symbol',
  'signal',
  'action',
  'rule',
  'reason',
  'target',
  'votes',
  'order',
  'decided',
] as const

const voteText = ({ version, signal, confidence, edgeBps }: BotDecision['votes'][number]): string =>
  `${version} ${signal} ${confidence.toFixed(3)}${edgeBps === null ? '' : ` ${edgeBps.toFixed(1)} bps`}`

/** A decision's cells under `DECISION_HEADS`, on a candle of `stepMs`: `close` is when that closed. Times are ISO 8601. */
export const decisionCells = (decision: BotDecision, stepMs: number) => [
  new Date(decision.candleTs + stepMs).toISOString(),
  decision.symbol,
  decision.signal,
  decision.action,
  decision.rule,
  decision.reason,
  decision.target,
  decision.votes.map(voteText).join('; '),
  decision.orderId,
  new Date(decision.decidedAt).toISOString(),
]
