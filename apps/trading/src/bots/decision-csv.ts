import type { BotDecision } from '@shapecast/contracts/bot-decisions'

const COLUMNS = [
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

/** Quoted where it has to be; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const voteText = ({ version, signal, confidence, edgeBps }: BotDecision['votes'][number]): string =>
  `${version} ${signal} ${confidence.toFixed(3)}${edgeBps === null ? '' : ` ${edgeBps.toFixed(1)} bps`}`

/**
 * Decisions on candles of `stepMs` as lines of CSV (RFC 4180), with the names of the columns first where `head` is set.
 * Times are ISO 8601: the close at which each was decided.
 */
export function csvOf(decisions: readonly BotDecision[], stepMs: number, head: boolean): string {
  const lines = decisions.map((decision) =>
    [
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
      .map(cellOf)
      .join(','),
  )
  return [...(head ? [COLUMNS.join(',')] : []), ...lines].map((line) => `${line}\r\n`).join('')
}
