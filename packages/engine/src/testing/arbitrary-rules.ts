import fc from 'fast-check'
import { ARITHMETIC, COMPARISONS, type Condition, FUNCTIONS, type Rule, SERIES, type Value } from '../rules/tree.ts'
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

const { condition } = fc.letrec<{ value: Value; condition: Condition }>((tie) => {
  const leaf = fc.oneof(
    fc.record({ kind: fc.constant('number' as const), value: amounts }),
    fc.record({ kind: fc.constant('number' as const), value: amounts, unit: fc.constant('%' as const) }),
    fc.record({ kind: fc.constant('series' as const), name: fc.constantFrom(...SERIES) }),
    fc.record({ kind: fc.constant('median' as const), horizon: fc.integer({ min: 1, max: 8 }) }),
  )
  const candles = fc.integer({ min: 1, max: 5 })
  const sides = { left: tie('value'), right: tie('value') }
  const indicators = calls.map(({ name, input, parameters }) =>
    fc.record({
      kind: fc.constant('indicator' as const),
      name: fc.constant(name),
      input: input === null ? fc.constant(null) : fc.option(tie('value')),
      parameters,
    }),
  )
  const functions = Object.entries(FUNCTIONS).map(([name, takes]) =>
    fc.record({
      kind: fc.constant('function' as const),
      name: fc.constant(name as keyof typeof FUNCTIONS),
      of: fc.array(tie('value'), { minLength: takes, maxLength: takes }),
    }),
  )
  const several = { of: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }) }
  const compare = fc.record({ kind: fc.constant('compare' as const), op: fc.constantFrom(...COMPARISONS), ...sides })
  return {
    value: fc.oneof(
      { maxDepth: DEEPEST, depthIdentifier: 'rule' },
      leaf,
      fc.oneof(...indicators),
      fc.oneof(...functions),
      fc.record({ kind: fc.constant('negate' as const), of: tie('value') }),
      fc.record({ kind: fc.constant('arithmetic' as const), op: fc.constantFrom(...ARITHMETIC), ...sides }),
      fc.record({ kind: fc.constant('ago' as const), candles, of: tie('value') }),
    ),
    condition: fc.oneof(
      { maxDepth: DEEPEST, depthIdentifier: 'rule' },
      compare,
      fc.record({
        kind: fc.constant('crosses' as const),
        direction: fc.constantFrom('above' as const, 'below' as const),
        ...sides,
      }),
      fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), ...several }),
      fc.record({ kind: fc.constant('not' as const), of: tie('condition') }),
      fc.record({ kind: fc.constant('before' as const), candles, of: tie('condition') }),
    ),
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
