import type { RuleOrigin } from '@shapecast/contracts/bots'
import { POLICIES } from '@shapecast/contracts/policies'
import { combinationsOf, markedIn, readSearchedValues, type SearchedPolicy } from '@shapecast/contracts/search'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { WalkForwardRequest, type WalkForwardRequestInput } from '@shapecast/contracts/walk-forward'
import { markedText, ruleNumbers, valuesAround } from '@shapecast/engine/rules/rule-numbers'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'
import { wrongFields } from '../lab-forms.ts'

/** What stands in the form of a walk; an empty number is null. */
export interface WalkForm {
  /** `model`: it is trained again before each stretch, and traded by a rule without marks. */
  readonly kind: 'rule' | 'policy' | 'model'
  readonly rule: string
  /** The stored rule that it is, but for its marks. */
  readonly ruleOrigin: RuleOrigin | undefined
  /** Of each mark of the rule, its values as they are typed. */
  readonly marks: Readonly<Record<string, string>>
  readonly policy: SearchedPolicy
  /** Of a model; empty is the one in use. */
  readonly version: string
  readonly tradedBy: string
  readonly symbol: string
  readonly timeframe: Timeframe
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
  const {
    rule,
    ruleOrigin,
    policy = NEW_WALK.policy,
    mlModelVersion = '',
    symbol,
    timeframe,
    limit,
    parameters,
  } = search
  const marks = Object.fromEntries(parameters.map(({ name, values }) => [name, values.join(', ')]))
  const kind = retrain ? 'model' : search.kind === 'policy' ? 'policy' : 'rule'
  return {
    ...NEW_WALK,
    ...(rule !== undefined && (retrain ? { tradedBy: rule } : { rule, ruleOrigin, marks })),
    kind,
    policy,
    version: mlModelVersion,
    symbol,
    timeframe,
    limit,
    train,
    test,
    anchored,
  }
}

/** None where they cannot be read. */
const valuesIn = (text = ''): readonly number[] => {
  const read = readSearchedValues(text)
  return typeof read === 'string' ? [] : read
}

/** The body of the call, with what cannot be read left out. */
export function bodyOf(form: WalkForm): WalkForwardRequestInput {
  const { kind, rule, ruleOrigin, policy, tradedBy, version, symbol, timeframe, marks } = form
  const parameters = {
    policy: () => [{ name: 'riskPct', values: RISKS }],
    rule: () => markedIn(rule).map((name) => ({ name, values: [...valuesIn(marks[name])] })),
    model: () => [],
  }[kind]()
  const walked = {
    policy: { kind: 'policy', policy },
    rule: { kind: 'rule', rule, ruleOrigin },
    model: { kind: 'rule', rule: tradedBy, ...(version !== '' && { mlModelVersion: version }) },
  } as const
  return {
    search: {
      ...walked[kind],
      symbol,
      timeframe,
      limit: form.limit ?? Number.NaN,
      parameters,
    },
    train: form.train ?? Number.NaN,
    test: form.test ?? Number.NaN,
    anchored: form.anchored,
    retrain: kind === 'model',
  }
}

/** What is wrong, by field; `marks` of the values of one. */
export function wrongIn(form: WalkForm) {
  const marks: Record<string, string> = {}
  if (form.kind === 'rule')
    for (const name of markedIn(form.rule)) {
      const read = readSearchedValues(form.marks[name] ?? '')
      if (typeof read === 'string') marks[name] = read
    }
  const { parameters, ...fields } = wrongFields(WalkForwardRequest, bodyOf(form), {
    train: 'Must be a whole number from 50',
    test: 'Must be a whole number from 10',
    limit: 'Must be a whole number from 100 to 100,000',
    rule: null,
    parameters: null,
  })
  // Of values that cannot be read the contract says nothing that helps.
  if (parameters !== undefined && Object.keys(marks).length === 0) fields.rule ??= parameters
  return { fields, marks, isRight: Object.keys(fields).length === 0 && Object.keys(marks).length === 0 }
}

export const combinationsIn = (form: WalkForm): number => combinationsOf(bodyOf(form).search.parameters)
