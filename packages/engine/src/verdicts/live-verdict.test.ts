import { expect, it } from 'vitest'
import { liveVerdict } from './live-verdict.ts'

const scores = (part: Partial<Parameters<typeof liveVerdict>[0]>) => ({
  outcomes: 200,
  flatOutcomes: 0,
  accuracy: 0.52,
  interval: [0.451, 0.589] as [number, number],
  majorityBaseline: 0.505,
  reversalBaseline: 0.54,
  ...part,
})

it('calls 104 of 200 luck, with the better naive rule beside it', () =>
  expect(liveVerdict(scores({}))).toEqual({
    code: 'may_be_luck',
    forecasts: 200,
    right: 104,
    rule: 'reversal',
    ruleRatio: 0.54,
  }))

it('names the majority where that rule got more right', () =>
  expect(liveVerdict(scores({ majorityBaseline: 0.56 }))).toMatchObject({ rule: 'majority', ruleRatio: 0.56 }))

it('leaves out forecasts after which the price stood still', () =>
  expect(liveVerdict(scores({ outcomes: 205, flatOutcomes: 5 }))).toMatchObject({ forecasts: 200, right: 104 }))

it('judges nothing before the first outcome, nor of outcomes that all stood still', () => {
  const none = { accuracy: null, interval: null, majorityBaseline: null, reversalBaseline: null }
  expect(liveVerdict(scores({ outcomes: 0, ...none }))).toMatchObject({ code: 'not_judged', ruleRatio: null })
  expect(liveVerdict(scores({ outcomes: 20, flatOutcomes: 20, ...none }))).toMatchObject({ code: 'not_judged' })
})

it('cannot tell anything of 29 outcomes, however good, and can of 30', () => {
  const good = { accuracy: 0.9, interval: [0.74, 0.97] as [number, number] }
  expect(liveVerdict(scores({ outcomes: 29, ...good })).code).toBe('too_few')
  expect(liveVerdict(scores({ outcomes: 30, ...good })).code).toBe('better_than_guessing')
})

it.each([
  ['better_than_guessing', [0.55, 0.68]],
  ['no_better_than_rule', [0.53, 0.66]],
  ['no_better_than_rule', [0.54, 0.66]],
  ['may_be_luck', [0.5, 0.66]],
  ['may_be_luck', [0.36, 0.5]],
  ['worse_than_guessing', [0.36, 0.49]],
] as const)('the live verdict is %s for an interval of %j beside a rule of 54 %%', (code, interval) =>
  expect(liveVerdict(scores({ interval: [...interval] })).code).toBe(code),
)
