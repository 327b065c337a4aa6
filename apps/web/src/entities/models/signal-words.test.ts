import type { SignalVerdict } from '@shapecast/contracts/predictions'
import { expect, it } from 'vitest'
import { forecastWords, paidWords, shortVerdict, verdictSentence, verdictTitle } from './signal-words.ts'

const verdict = (more: Partial<SignalVerdict>): SignalVerdict => ({
  code: 'not_worth_trading',
  leans: 'up',
  expectedBps: 3,
  costBps: 22,
  edgeBps: -19,
  horizon: 6,
  ...more,
})

it('words a signal that does not pay its cost of 0.22% by that, first of all', () => {
  expect(verdictTitle(verdict({}))).toBe('Not worth trading')
  expect(verdictSentence(verdict({}), '1h')).toBe('It leans up, but would not pay its cost: −0.19%, over the next 6 h')
  expect(shortVerdict(verdict({}))).toBe('Not worth trading: −0.19% after costs')
})

it('words one that pays by its side, and one that is too unsure to be called by that', () => {
  const worth = verdict({ code: 'worth_trading', leans: 'down', edgeBps: 27, horizon: null })
  expect(`${verdictTitle(worth)}. ${verdictSentence(worth, '1h')}`).toBe('Worth a short. +0.27% expected after costs')
  const unsure = verdict({ code: 'no_direction', edgeBps: 4, horizon: 1 })
  expect(verdictTitle(unsure)).toBe('No direction called')
  expect(verdictSentence(unsure, '15m')).toBe(
    'It leans up, too little to call: +0.04% expected after costs, over the next 15 min',
  )
})

it('says of both networks what they expect, as their changes are shown', () => {
  const words = (lstm: number, transformer: number) =>
    forecastWords({ current_price: 1000, lstm_prediction: lstm, transformer_prediction: transformer, verdict: null })
  expect(words(1002, 1001)).toBe('Both networks expect a higher close.')
  expect(words(998, 999)).toBe('Both networks expect a lower close.')
  expect(words(1002, 999)).toBe('The networks disagree: +0.20% and −0.10%.')
  expect(words(1002, 1000.01)).toBe('The networks expect +0.20% and 0.00%.')
})

it('says how often such calls paid, with their interval, and where they are too few to tell', () => {
  expect(paidWords({ made: 104, paid: 61, interval: [0.491, 0.677] })).toBe(
    '61 of 104 such calls paid their cost, 95% CI 49.1–67.7',
  )
  expect(paidWords({ made: 5, paid: 3, interval: [0.2, 0.9] })).toBe(
    '3 of 5 such calls paid their cost: too few to tell',
  )
  expect(paidWords({ made: 1, paid: 0, interval: [0, 0.9] })).toBe('0 of 1 such call paid its cost: too few to tell')
  expect(paidWords({ made: 0, paid: 0, interval: null })).toBe('No such call has come to its outcome yet')
})
