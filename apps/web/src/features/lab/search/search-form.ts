import {
  combinationsOf,
  MOST_COMBINATIONS,
  readSearchedValues,
  SEARCH_DEFAULTS,
  SEARCHED_SETTINGS,
  type SearchedPolicy,
  type SearchedSetting,
  type SearchKind,
  SearchRequest,
  type SearchRequestInput,
} from '@shapecast/contracts/search'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { markedText, ruleNumbers, valuesAround } from '@shapecast/engine/rules/rule-numbers'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { FEE_PLACE, type OfRule, wrongFields } from '../lab-forms.ts'

export interface SearchForm extends SeriesChoice, OfRule {
  readonly kind: SearchKind
  readonly policy: SearchedPolicy
  readonly limit: number | null
  readonly keptPct: number
  readonly minTrades: number | null
  readonly feePct: number | null
  readonly slippageBps: number | null
  /** What is ticked, with the text of its values, by name. */
  readonly values: Readonly<Record<string, string>>
}

export const NEW_SEARCH: SearchForm = {
  kind: 'rule',
  rule: 'enter: ema(20) crosses above ema(100)\nexit: ema(20) crosses below ema(100)\nstop: 4%',
  ruleOrigin: undefined,
  policy: 'steady_risk',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  limit: LAB_CANDLES,
  keptPct: SEARCH_DEFAULTS.keptPct,
  minTrades: SEARCH_DEFAULTS.minTrades,
  feePct: 0.06,
  slippageBps: 5,
  values: { ema_20: '10 to 40 by 5', ema_100: '60 to 140 by 20' },
}

/** A search of a rule, before anything of it is ticked. */
export const searchOf = ({ rule, ruleOrigin, symbol, timeframe }: RuleDraft): SearchForm => ({
  ...NEW_SEARCH,
  rule,
  ruleOrigin,
  symbol,
  timeframe,
  values: {},
})

const SETTINGS: Readonly<Record<SearchKind, readonly [SearchedSetting, fixed: string, proposed: string][]>> = {
  rule: [
    ['stopLossPct', 'off', '0, 2, 4, 8'],
    ['takeProfitPct', 'off', '0, 5, 10'],
    ['sizePct', '100', '25, 50, 100'],
    ['maxDrawdown', '50', '20, 30, 50'],
  ],
  policy: [
    ['riskPct', '40', '20, 40, 60'],
    ['maxDrawdown', '90', '20, 40, 60, 90'],
    ['stopLossPct', 'off', '0, 10, 20'],
  ],
  signal: [
    ['threshold', '0', '0 to 8 by 1'],
    ['stopLossPct', 'off', '0, 2, 4, 8'],
    ['takeProfitPct', 'off', '0, 5, 10'],
    ['sizePct', '100', '25, 50, 100'],
  ],
}

/**
 * All that a form could search, the numbers of its rule first: where each counts, what it is where it is not searched, and
 * what is proposed when it is ticked.
 */
export function searchablesOf({ kind, rule }: Pick<SearchForm, 'kind' | 'rule'>) {
  const numbers = kind === 'rule' ? ruleNumbers(rule) : []
  return [
    ...numbers.map(({ name, label, parts, value }) => ({
      name,
      label,
      where: parts.join(', '),
      fixed: String(value),
      proposed: valuesAround(value),
    })),
    ...SETTINGS[kind].map(([name, fixed, proposed]) => ({
      name,
      label: SEARCHED_SETTINGS[name].label,
      where: 'settings',
      fixed,
      proposed,
    })),
  ]
}

/**
 * The request of a form, null while something must be changed, and what, by field; and of each ticked parameter whose values
 * can be read, how many they are.
 */
export function readForm(form: SearchForm) {
  const { kind, rule, ruleOrigin, policy, symbol, timeframe, limit, keptPct, minTrades, feePct, slippageBps } = form
  const own: Record<string, string> = {}
  const parameters: { name: string; label: string; values: number[] }[] = []
  for (const { name, label } of searchablesOf(form)) {
    const values = readSearchedValues(form.values[name] ?? '')
    if (typeof values !== 'string') parameters.push({ name, label: label.slice(0, 40), values: [...values] })
    else if (name in form.values) own[name] = values
  }
  const counts: Record<string, number> = Object.fromEntries(parameters.map(({ name, values }) => [name, values.length]))
  const combinations = parameters.length === 0 ? 0 : combinationsOf(parameters)
  if (Object.keys(own).length === 0 && combinations < 2)
    own.parameters = 'Tick what is searched: at least 2 combinations'
  if (combinations > MOST_COMBINATIONS)
    own.parameters = `They must be at most ${MOST_COMBINATIONS.toLocaleString('en-GB')}: give fewer values`
  const request: SearchRequestInput = {
    kind,
    ...(kind === 'rule' && {
      ruleOrigin,
      rule: markedText(
        rule,
        ruleNumbers(rule).filter(({ name }) => name in counts),
      ),
    }),
    ...(kind === 'policy' && { policy }),
    symbol,
    timeframe,
    limit: limit ?? Number.NaN,
    keptPct,
    minTrades: minTrades ?? Number.NaN,
    feeRate: (feePct ?? Number.NaN) / 100,
    slippageBps: slippageBps ?? Number.NaN,
    parameters,
  }
  const places = { ...FEE_PLACE, parameters: 'parameters' }
  const wrong: Record<string, string> = { ...wrongFields(SearchRequest, request, form, places), ...own }
  return { request: Object.keys(wrong).length === 0 ? request : null, counts, combinations, wrong }
}
