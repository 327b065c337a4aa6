import { RISK_PCT_A_YEAR } from '@shapecast/contracts/policies'
import { markedIn, RULE_MARKS, type SearchedSetting } from '@shapecast/contracts/search'
import type { PlannedBot } from '../policies/plan.ts'
import type { SearchedParameter } from './search-space.ts'

/** The parts of a rule that say when to enter and leave. */
const CONDITION = /\b(?:enter|exit|short|cover)\s*:/
const LIMIT = /\b(?:stop|target|trail|time)\s*:/

type RiskLevel = keyof typeof RISK_PCT_A_YEAR
const riskLevelOf = (pct: number): RiskLevel =>
  (Object.keys(RISK_PCT_A_YEAR) as RiskLevel[]).find((level) => RISK_PCT_A_YEAR[level] === pct) ?? 'medium'

/** What of a bot a search may vary beside the numbers of its rule. */
const SETTINGS = {
  stopLossPct: (bot, stopLossPct) => ({ ...bot, stopLossPct }),
  takeProfitPct: (bot, takeProfitPct) => ({ ...bot, takeProfitPct }),
  maxDrawdown: (bot, maxDrawdown) => ({ ...bot, maxDrawdown }),
  leverage: (bot, leverage) => ({ ...bot, leverage }),
  /** Percent of the equity put into an entry. */
  sizePct: (bot, pct) => withParameters(bot, { sizing: { kind: 'percent_of_equity', pct } }),
  /** Yearly volatility that a policy aims at, percent: that of a risk level. */
  riskPct: (bot, pct) => ({ ...bot, riskLevel: riskLevelOf(pct) }),
} as const satisfies Record<Exclude<SearchedSetting, 'threshold'>, (bot: PlannedBot, value: number) => PlannedBot>

const withParameters = (bot: PlannedBot, changed: Partial<NonNullable<PlannedBot['parameters']>>): PlannedBot => ({
  ...bot,
  parameters: { ...bot.parameters, ...changed } as NonNullable<PlannedBot['parameters']>,
})

/** The bot of a point: the numbers that its rule marks and its settings as `values` name them. */
export function botAt(bot: PlannedBot, values: Readonly<Record<string, number>>): PlannedBot {
  const { rule } = bot.parameters ?? {}
  const marked = new Set(rule === undefined ? [] : markedIn(rule))
  let at =
    rule === undefined
      ? bot
      : withParameters(bot, { rule: rule.replaceAll(RULE_MARKS, (mark, name: string) => String(values[name] ?? mark)) })
  for (const [name, value] of Object.entries(values))
    if (!marked.has(name) && Object.hasOwn(SETTINGS, name)) at = SETTINGS[name as keyof typeof SETTINGS](at, value)
  return at
}

/**
 * The parameters with those first that decide when a rule enters and leaves, or what a policy holds. The others then change from one point to the
 * next, and its columns are worked out once for all of them.
 */
export function slowestFirst<P extends SearchedParameter>(rule: string | undefined, parameters: readonly P[]): P[] {
  const conditions = [...markedIn(conditionsIn(rule ?? '')), 'riskPct']
  return [...parameters].sort((a, b) => Number(conditions.includes(b.name)) - Number(conditions.includes(a.name)))
}

/** The text of a rule without its stop, target, trailing stop and time. */
function conditionsIn(text: string): string {
  const from = text.search(CONDITION)
  if (from < 0) return ''
  const rest = text.slice(from)
  const end = rest.search(LIMIT)
  return end < 0 ? rest : rest.slice(0, end) + conditionsIn(rest.slice(end))
}
