import { expect, it } from 'vitest'
import { recordVerdict } from './record-verdict.ts'

const scores = (part: Partial<Parameters<typeof recordVerdict>[0]>) => ({
  outcomes: 200,
  flatOutcomes: 0,
  accuracy: 0.52,
  interval: [0.451, 0.589] as [number, number],
  majorityBaseline: 0.505,
  reversalBaseline: 0.54,
  ...part,
})

it('says in counts how often it was right, beside guessing and the better simple rule', () => {
  const { sentence, chip, next } = recordVerdict(scores({}))
  expect(sentence).toBe(
    'Of 200 forecasts 104 had the right direction: 52.0% (45.1–58.9). Guessing would have 50%, betting on a reversal 54.0%. That can be luck.',
  )
  expect([chip, next.includes('Model as brake')]).toEqual(['can be luck', true])
})

it('leaves out forecasts after which the price stood still', () =>
  expect(recordVerdict(scores({ outcomes: 205, flatOutcomes: 5 })).sentence).toContain('Of 200 forecasts 104 had'))

it('judges nothing before 30 outcomes, and says so before the first', () => {
  expect(recordVerdict(scores({ outcomes: 29, accuracy: 0.9, interval: [0.74, 0.97] })).chip).toBe('too few to tell')
  expect(recordVerdict(scores({ outcomes: 0, accuracy: null, interval: null })).chip).toBe('not judged yet')
})

it('calls better only what neither guessing nor a simple rule reaches', () => {
  const better = recordVerdict(scores({ accuracy: 0.62, interval: [0.55, 0.68] }))
  expect([better.chip, better.isCaution]).toEqual(['better than guessing', false])
  const asTheRule = recordVerdict(scores({ accuracy: 0.6, interval: [0.53, 0.66] }))
  expect([asTheRule.chip, asTheRule.isCaution]).toEqual(['no better than betting on a reversal', true])
  expect(recordVerdict(scores({ accuracy: 0.42, interval: [0.36, 0.49] })).chip).toBe('worse than guessing')
})
