import type { LiveVerdict } from '@shapecast/contracts/track-record'
import { expect, it } from 'vitest'
import { UNKNOWN } from '#kit/format/number.ts'
import { recordVerdict, spanWords } from './record-verdict.tsx'

const judged = (direction: Partial<LiveVerdict>) =>
  recordVerdict({
    accuracy: 0.52,
    interval: [0.451, 0.589],
    direction: { code: 'may_be_luck', forecasts: 200, right: 104, rule: 'reversal', ruleRatio: 0.54, ...direction },
  })

it('says in counts how often it was right, beside guessing and the better simple rule', () => {
  const { sentence, chip, next } = judged({})
  expect(sentence).toBe(
    'Of 200 forecasts 104 had the right direction: 52.0% (45.1–58.9). Guessing would have 50%, betting on a reversal 54.0%. That can be luck.',
  )
  expect([chip, next.includes('Model as brake')]).toEqual(['can be luck', true])
})

it('says before the first outcome that there is none, and counts nothing', () => {
  const none = { code: 'not_judged', forecasts: 0, right: 0, ruleRatio: null } as const
  expect(judged(none)).toMatchObject({ chip: 'not judged yet', sentence: 'No forecast has had its outcome yet.' })
})

it('says below how many outcomes nobody can tell', () =>
  expect(judged({ code: 'too_few', forecasts: 29 }).next).toMatch(/^Wait: below 30 outcomes/))

it.each([
  ['better_than_guessing', 'better than guessing', false],
  ['no_better_than_rule', 'no better than always betting one way', true],
  ['worse_than_guessing', 'worse than guessing', true],
] as const)('calls %s “%s”; that it asks for caution is %s', (code, chip, isCaution) =>
  expect(judged({ code, rule: 'majority' })).toMatchObject({ chip, isCaution }),
)

it('says how many candles of the span were sealed', () => {
  expect(spanWords({ candles: 350, missed: 8 })).toBe('342 of 350 candles')
  expect(spanWords({ candles: 12_000, missed: 0 })).toBe('12,000 of 12,000 candles')
  expect(spanWords(null)).toBe(UNKNOWN)
})
