import { POLICIES } from '@shapecast/contracts/policies'
import { combinationsOf, markedIn, readSearchedValues, type SearchedPolicy } from '@shapecast/contracts/search'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { WalkForwardRequest, type WalkForwardRequestInput } from '@shapecast/contracts/walk-forward'
import { markedText, ruleNumbers, valuesAround } from '@shapecast/engine/rules/rule-numbers'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { type OfRule, wrongFields } from '../lab-forms.ts'

/** What stands in the form of a walk; an empty number is null. */
export interface WalkForm extends SeriesChoice, OfRule {
  /** `model`: it is trained again before each stretch, and traded by a rule without marks. */
  readonly kind: 'rule' | 'policy' | 'model'
  /** Of each mark of the rule, its values as they are typed. */
  readonly marks: Readonly<Record<string, string>>
  readonly policy: SearchedPolicy
  /** Of a model; empty is the one in use. */
  readonly version: string
  readonly tradedBy: string
  readonly limit: number | null
  readonly train: number | null
  readonly test: number | null
  readonly anchored: boolean
}

export const NEW_WALK: WalkForm = {
  kind: 'rule',
  rule: 'enter: ema({fast}) > ema({slow})\nexit: ema({fast}) < ema({slow})',
  ruleOrigin: undefined,
  marks: { fast: '4, 8, 12, 20', slow: '30, 50, 80, 120' },
  policy: 'steady_risk',
  version: '',
  tradedBy: 'enter: p_up > 50%\nexit: p_up < 50%',
  symbol: 'BTCUSDT',
  timeframe: '4h',
  limit: LAB_CANDLES,
  train: 2200,
  test: 900,
  anchored: false,
}

/** What a kind is usually walked on: models learn from some thousand hours. */
export const usualOf = (kind: WalkForm['kind']): Pick<WalkForm, 'kind' | 'timeframe' | 'train' | 'test'> =>
  kind === 'model' ? { kind, timeframe: '1h', train: 5000, test: 1000 } : { ...NEW_WALK, kind }

const RISKS = [20, 40, 60]

export const POLICY_OPTIONS = (['steady_risk', 'trend_steady_risk', 'trend_ensemble', 'fixed_share'] as const).map(
  (value) => ({ value, label: POLICIES[value].name }),
)

const MOST_MARKED = 2

/** A walk that chooses the first numbers of a rule. */
export function walkOf({ rule, ruleOrigin, symbol, timeframe }: RuleDraft): WalkForm {
  const numbers = ruleNumbers(rule).slice(0, MOST_MARKED)
  const marks = Object.fromEntries(numbers.map(({ name, value }) => [name, valuesAround(value)]))
  return { ...NEW_WALK, rule: markedText(rule, numbers), ruleOrigin, marks, symbol, timeframe }
}

/** The form in which a walk was asked for; what only the API can ask for is as in a new one. */
export function formOf({ search, train, test, anchored, retrain }: WalkForwardRequest): WalkForm {
  const { rule, ruleOrigin, policy = NEW_WALK.policy, mlModelVersion: version = '', parameters } = search
  const { symbol, timeframe, limit } = search
  const marks = Object.fromEntries(parameters.map(({ name, values }) => [name, values.join(', ')]))
  const kind = retrain ? 'model' : search.kind === 'policy' ? 'policy' : 'rule'
  const traded = rule !== undefined && (retrain ? { tradedBy: rule } : { rule, ruleOrigin, marks })
  const plan = { kind, policy, version, symbol, timeframe, limit, train, test, anchored } as const
  return { ...NEW_WALK, ...traded, ...plan }
}

const valuesIn = (text = ''): number[] => {
  const read = readSearchedValues(text)
  return typeof read === 'string' ? [] : [...read]
}

/** What is walked, and what is chosen of it before each stretch; what cannot be read is left out. */
function walkedOf({ kind, rule, ruleOrigin, policy, tradedBy, version, marks }: WalkForm) {
  if (kind === 'policy') return { kind, policy, parameters: [{ name: 'riskPct', values: RISKS }] }
  if (kind === 'rule')
    return {
      kind,
      rule,
      ruleOrigin,
      parameters: markedIn(rule).map((name) => ({ name, values: valuesIn(marks[name]) })),
    }
  return { kind: 'rule' as const, rule: tradedBy, ...(version !== '' && { mlModelVersion: version }), parameters: [] }
}

/** The body of the call. */
export function bodyOf(form: WalkForm): WalkForwardRequestInput {
  const { kind, symbol, timeframe, limit, train, test, anchored } = form
  return {
    search: { ...walkedOf(form), symbol, timeframe, limit: limit ?? Number.NaN },
    train: train ?? Number.NaN,
    test: test ?? Number.NaN,
    anchored,
    retrain: kind === 'model',
  }
}

/** In what is wrong with a form: the values of a mark. */
export const markField = (name: string): string => `values of ${name}`

/** What is wrong, by field. */
export function wrongIn(form: WalkForm): Record<string, string> {
  const unread = (form.kind === 'rule' ? markedIn(form.rule) : []).flatMap((name) => {
    const read = readSearchedValues(form.marks[name] ?? '')
    return typeof read === 'string' ? [[markField(name), read] as const] : []
  })
  const { parameters, ...wrong } = wrongFields(WalkForwardRequest, bodyOf(form), form, { parameters: 'parameters' })
  // Of values that cannot be read the contract says nothing that helps.
  if (parameters !== undefined && unread.length === 0) wrong.rule ??= parameters
  return { ...wrong, ...Object.fromEntries(unread) }
}

export const combinationsIn = (form: WalkForm): number => combinationsOf(bodyOf(form).search.parameters)
