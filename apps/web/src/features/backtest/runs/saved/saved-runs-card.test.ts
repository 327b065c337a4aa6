import { expect, it } from 'vitest'
import { compareDisabledReason, toggled } from './saved-runs-card.tsx'

const run = (_id: string, symbol = 'BTCUSDT', startTime = 0, endTime = 100) => ({
  _id,
  venue: 'binance',
  symbol,
  timeframe: '1h' as const,
  startTime,
  endTime,
})
const all = [run('a'), run('b', 'BTCUSDT', 40, 140), run('c', 'ETHUSDT'), run('d', 'BTCUSDT', 60, 160)]

it('lets runs of one market be compared whose ranges share half of the shorter one', () => {
  expect(compareDisabledReason(all[1]!, all, ['a'])).toBeNull()
  expect(compareDisabledReason(all[2]!, all, ['a'])).toBe('Another market or timeframe than the first one')
  expect(compareDisabledReason(all[3]!, all, ['a'])).toBe('Another range than the first one')
  expect(compareDisabledReason(all[3]!, all, [])).toBeNull()
  expect(compareDisabledReason(all[1]!, all, ['a', 'e', 'f', 'g', 'h'])).toBe('At most 5 runs are compared')
})

it('ticks and unticks', () => expect([toggled(['a'], 'b'), toggled(['a', 'b'], 'a')]).toEqual([['a', 'b'], ['b']]))
