import fc from 'fast-check'
import {
  ARITHMETIC,
  CANDLE_SERIES,
  COMPARISONS,
  type Condition,
  FUNCTIONS,
  type Rule,
  SERIES,
  type SeriesName,
  TIME_SERIES,
  type Value,
} from '../rules/tree.ts'
import { requireRunnable } from '../rules/validity.ts'
import { INDICATORS, type Signature } from '../rules/vocabulary.ts'

const MOST_PERIOD = 12
const DEEPEST = 3

const amounts = fc.oneof(
  fc.constantFrom(0, 1, 20, 50, 0.5, 100),
  fc.double({ min: 0, max: 1e6, noNaN: true }).map(Math.abs),
)

const calls = Object.entries<Signature>(INDICATORS).map(([name, { input, parameters }]) => ({
  name,
  input,
  parameters: fc.tuple(
    ...parameters.map(({ min, isWhole }) =>
      isWhole ? fc.integer({ min, max: MOST_PERIOD }) : fc.constantFrom(0.5, 1, 2),
    ),
  ),
}))

type Parts = {
  value: Value
  condition: Condition
  /** Of values and conditions, those that ask no model: what may be looked back at. */
  past: Value
  wasSo: Condition
}
const CANDLE_OR_TIME = [...CANDLE_SERIES, ...TIME_SERIES] as const
const series = <T extends SeriesName>(...names: T[]) =>
  fc.record({ kind: fc.constant('series' as const), name: fc.constantFrom(...names) })
const number = fc.oneof(
  fc.record({ kind: fc.constant('number' as const), value: amounts }),
  fc.record({ kind: fc.constant('number' as const), value: amounts, unit: fc.constant('%' as const) }),
)
const median = fc.record({ kind: fc.constant('median' as const), horizon: fc.integer({ min: 1, max: 8 }) })

const { condition } = fc.letrec<Parts>((tie) => {
  const candles = fc.integer({ min: 1, max: 5 })
  const indicators = calls.map(({ name, input, parameters }) =>
    fc.record({
      kind: fc.constant('indicator' as const),
      name: fc.constant(name),
      input: input === null ? fc.constant(null) : fc.option(tie('past')),
      parameters,
    }),
  )
  const one = (part: 'value' | 'past'): fc.Arbitrary<Value> => (part === 'value' ? tie('value') : tie('past'))
  const same = (part: 'condition' | 'wasSo'): fc.Arbitrary<Condition> =>
    part === 'condition' ? tie('condition') : tie('wasSo')
  const sidesOf = (part: 'value' | 'past') => ({ left: one(part), right: one(part) })
  const functionsOf = (part: 'value' | 'past') =>
    Object.entries(FUNCTIONS).map(([name, takes]) =>
      fc.record({
        kind: fc.constant('function' as const),
        name: fc.constant(name as keyof typeof FUNCTIONS),
        of: fc.array(one(part), { minLength: takes, maxLength: takes }),
      }),
    )
  const valuesWith = (part: 'value' | 'past', leaf: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
    fc.oneof(
      { maxDepth: DEEPEST, depthIdentifier: 'rule' },
      leaf,
      fc.oneof(...indicators),
      fc.oneof(...functionsOf(part)),
      fc.record({ kind: fc.constant('negate' as const), of: one(part) }),
      fc.record({ kind: fc.constant('arithmetic' as const), op: fc.constantFrom(...ARITHMETIC), ...sidesOf(part) }),
      fc.record({ kind: fc.constant('ago' as const), candles, of: tie('past') }),
    )
  const conditionsWith = (part: 'condition' | 'wasSo', of: 'value' | 'past'): fc.Arbitrary<Condition> =>
    fc.oneof(
      { maxDepth: DEEPEST, depthIdentifier: 'rule' },
      fc.record({ kind: fc.constant('compare' as const), op: fc.constantFrom(...COMPARISONS), ...sidesOf(of) }),
      fc.record({
        kind: fc.constant('crosses' as const),
        direction: fc.constantFrom('above' as const, 'below' as const),
        ...sidesOf('past'),
      }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(same(part), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), of: same(part) }),
      fc.record({ kind: fc.constant('before' as const), candles, of: tie('wasSo') }),
    )
  return {
    value: valuesWith('value', fc.oneof(number, series(...SERIES), median)),
    past: valuesWith('past', fc.oneof(number, series(...CANDLE_OR_TIME))),
    condition: conditionsWith('condition', 'value'),
    wasSo: conditionsWith('wasSo', 'past'),
  }
})

const pct = fc.option(fc.double({ min: 0.01, max: 99, noNaN: true }))

const isRunnable = (rule: Rule): boolean => {
  try {
    requireRunnable(rule, (what) => new Error(what))
    return true
  } catch {
    return false
  }
}

/** Rules of every shape, with short periods. */
export const arbitraryRules: fc.Arbitrary<Rule> = fc
  .record({
    enter: fc.option(condition, { freq: 9 }),
    exit: fc.option(condition),
    short: fc.option(condition),
    cover: fc.option(condition),
    stopPct: pct,
    targetPct: pct,
    trailPct: pct,
    timeCandles: fc.option(fc.integer({ min: 1, max: 50 })),
  })
  .filter(isRunnable)
