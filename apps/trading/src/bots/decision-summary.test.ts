import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import { expect, it } from 'vitest'
import { summaryOf } from './decision-summary.ts'

const HELD: BotDecision = {
  id: '01890000-0000-7000-8000-0000000000d1',
  symbol: 'BTCUSDT',
  candleTs: 1_700_000_000_000,
  votes: [],
  rule: 'below_cost',
  signal: 'HOLD',
  action: 'no_order',
  reason: 'Expected edge 4 bps, below the cost of 22 bps.',
  target: null,
  orderId: null,
  decidedAt: 1_700_003_600_000,
}
const TRADED: BotDecision = { ...HELD, rule: 'signal', signal: 'BUY', action: 'opened_long', reason: 'Bought.' }

it('counts no candles where there is one', () => {
  expect(summaryOf([])).toBeNull()
  expect(summaryOf([HELD])).toBe('The last candle: expected edge 4 bps, below the cost of 22 bps.')
  expect(summaryOf([TRADED])).toBe('Traded on the last candle.')
  expect(summaryOf([TRADED, { ...TRADED, candleTs: 0 }])).toBe('Traded on each of the last 2 candles.')
})

it('leaves names as they are, and begins other reasons with a small letter', () => {
  const words = (reason: string) => summaryOf([{ ...HELD, rule: 'no_votes', reason }])
  expect(words('OPENAI_API_KEY is not set.')).toBe('The last candle: OPENAI_API_KEY is not set.')
  expect(words('OpenAI did not answer.')).toBe('The last candle: OpenAI did not answer.')
  expect(words('Too few candles are known for a decision.')).toBe(
    'The last candle: too few candles are known for a decision.',
  )
})

it('speaks of the daily decisions of a policy, not of the closes between them', () => {
  const between = (i: number): BotDecision => ({
    ...HELD,
    candleTs: i,
    rule: 'not_decision_hour',
    reason: 'Once a day.',
  })
  const within: BotDecision = {
    ...HELD,
    rule: 'within_band',
    action: 'held',
    reason: 'It holds 49%, its target is 50%.',
  }
  expect(summaryOf([between(3), between(2), within])).toBe('The last daily decision: it holds 49%, its target is 50%.')
  expect(summaryOf([between(3), TRADED])).toBe('Traded on the last daily decision.')
  // Before the first one there is nothing else to say.
  expect(summaryOf([between(2), between(1)])).toBe('2 of the last 2 candles: once a day.')
})
