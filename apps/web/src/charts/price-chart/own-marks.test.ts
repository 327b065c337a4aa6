import type { Order, Position } from '@shapecast/contracts/accounts'
import { expect, it } from 'vitest'
import { ownMarks } from './own-marks.ts'

const HOUR = 3_600_000
const order = (over: Partial<Order>) =>
  ({
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    average: 100,
    pnl: null,
    fee: 0.06,
    stopPrice: null,
    ...over,
  }) as Order
const bought = order({ closedAt: 1_000 * HOUR, filledAtMarketTime: 10 * HOUR })
const held = { symbol: 'BTCUSDT', entryPrice: 100, openedAt: 1_000 * HOUR } as Position

it('draws the average entry from the first purchase of the position on, by the clock of the market', () => {
  const before = order({ closedAt: 900 * HOUR, filledAtMarketTime: 5 * HOUR })
  const later = order({ closedAt: 1_001 * HOUR, filledAtMarketTime: 11 * HOUR })
  expect(ownMarks(held, [], [later, bought, before]).levels).toEqual([
    { name: 'Your entry', price: 100, tone: 'plain', since: 10 * HOUR },
  ])
})

it('draws the whole line where the purchase is not among the orders, and none where no entry is known', () => {
  expect(ownMarks(held, [], []).levels).toMatchObject([{ since: Number.NEGATIVE_INFINITY }])
  expect(ownMarks({ ...held, entryPrice: null }, [], []).levels).toEqual([])
})

it('draws stops and targets that wait by how far they are from the entry, and no limit order', () => {
  const waiting = [
    order({ side: 'sell', type: 'stop', stopPrice: 97 }),
    order({ side: 'sell', type: 'take_profit', stopPrice: 106 }),
    order({ type: 'limit', price: 90 }),
  ]
  expect(ownMarks(held, waiting, [bought]).levels.map(({ name, tone }) => [name, tone])).toEqual([
    ['Your entry', 'plain'],
    ['Stop −3.00%', 'down'],
    ['Target +6.00%', 'up'],
  ])
  expect(ownMarks(undefined, waiting.slice(0, 1), []).levels).toMatchObject([{ name: 'Stop', price: 97 }])
})

it('marks what was filled: purchases, and sales by whether they paid the fees of both sides', () => {
  const sold = (pnl: number | null) => order({ side: 'sell', average: 101, pnl, filledAtMarketTime: 20 * HOUR })
  const cancelled = order({ average: null })
  expect(ownMarks(undefined, [], [bought, cancelled, sold(0.2), sold(0.1), sold(null)]).fills).toEqual([
    { t: 10 * HOUR, price: 100, kind: 'long_entry' },
    { t: 20 * HOUR, price: 101, kind: 'profit_exit' },
    { t: 20 * HOUR, price: 101, kind: 'loss_exit' },
    { t: 20 * HOUR, price: 101, kind: 'short_entry' },
  ])
})
