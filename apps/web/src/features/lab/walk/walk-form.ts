import { POLICIES } from '@shapecast/contracts/policies'
import { combinationsOf, markedIn, readSearchedValues, type SearchedPolicy } from '@shapecast/contracts/search'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { WalkForwardRequest, type WalkForwardRequestInput } from '@shapecast/contracts/walk-forward'

/** What stands in the form of a walk; an empty number is null. */
export interface WalkForm {
  readonly kind: 'rule' | 'policy'
  readonly rule: string
  /** Of each mark of the rule, its values as they are typed. */
  readonly marks: Readonly<Record<string, string>>
  readonly policy: SearchedPolicy
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
  marks: { fast: '4, 8, 12, 20', slow: '30, 50, 80, 120' },
  policy: 'steady_risk',
  symbol: 'BTCUSDT',
  timeframe: '4h',
  limit: LAB_CANDLES,
  train: 2200,
  test: 900,
  anchored: false,
}

const RISKS = [20, 40, 60]

export const POLICY_OPTIONS = (['steady_risk', 'trend_steady_risk', 'trend_ensemble', 'fixed_share'] as const).map(
  (value) => ({ value, label: POLICIES[value].name }),
)

/** None where they cannot be read. */
const valuesIn = (text = ''): readonly number[] => {
  const read = readSearchedValues(text)
  return typeof read === 'string' ? [] : read
}

/** The body of the call, with what cannot be read left out. */
export function bodyOf(form: WalkForm): WalkForwardRequestInput {
  const { kind, rule, policy, symbol, timeframe, marks } = form
  const parameters =
    kind === 'policy'
      ? [{ name: 'riskPct', values: RISKS }]
      : markedIn(rule).map((name) => ({ name, values: [...valuesIn(marks[name])] }))
  return {
    search: {
      kind,
      ...(kind === 'rule' ? { rule } : { policy }),
      symbol,
      timeframe,
      limit: form.limit ?? Number.NaN,
      parameters,
    },
    train: form.train ?? Number.NaN,
    test: form.test ?? Number.NaN,
    anchored: form.anchored,
  }
}

/** What is wrong, by field; `marks` of the values of one. */
export interface WalkErrors {
  readonly fields: Partial<Record<'rule' | 'limit' | 'train' | 'test', string>>
  readonly marks: Readonly<Record<string, string>>
}

export function wrongIn(form: WalkForm): WalkErrors {
  const fields: Record<string, string> = {}
  const marks: Record<string, string> = {}
  if (form.kind === 'rule')
    for (const name of markedIn(form.rule)) {
      const read = readSearchedValues(form.marks[name] ?? '')
      if (typeof read === 'string') marks[name] = read
    }
  const { error } = WalkForwardRequest.safeParse(bodyOf(form))
  for (const { path, message } of error?.issues ?? []) {
    const [first, second] = path
    if (first === 'train') fields.train = 'Must be a whole number from 50'
    else if (first === 'test') fields.test = 'Must be a whole number from 10'
    else if (second === 'limit') fields.limit = 'Must be a whole number from 100 to 100,000'
    else if (second === 'rule' || Object.keys(marks).length === 0) fields.rule ??= message
  }
  return { fields, marks }
}

export const isRight = ({ fields, marks }: WalkErrors): boolean =>
  Object.keys(fields).length === 0 && Object.keys(marks).length === 0

export const combinationsIn = (form: WalkForm): number => combinationsOf(bodyOf(form).search.parameters)
