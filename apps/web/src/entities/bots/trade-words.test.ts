import { expect, it } from 'vitest'
import { exitWords, heldWords } from './trade-words.ts'

const HOUR = 3_600_000
const trade = {
  side: 'long' as const,
  entryTime: 0,
  exitTime: 59 * HOUR,
  entryPrice: 100,
  exitPrice: 101.5,
  quantity: 2,
  netPnL: 2.88,
  fees: 0.12,
  funding: 0,
  exitReason: 'stop_loss' as const,
}

it('says why a trade ended and how long it was held', () => {
  expect(exitWords(trade)).toBe('Stop loss')
  expect([heldWords(trade), heldWords({ entryTime: 0, exitTime: 9 * HOUR })]).toEqual(['2 d 11 h', '9 h'])
})
