import { expect, it } from 'vitest'
import { unitsOf } from '../ledger/money.ts'
import { afterTrade } from './bot-holding.ts'

const held = (quantity: number, cost: number) => ({ quantity: unitsOf(quantity), cost: unitsOf(cost) })
const trade = (side: 'buy' | 'sell', quantity: number, price: number, coins = 0) => ({
  side,
  quantity: unitsOf(quantity),
  price,
  coins: unitsOf(coins),
})

it.each([
  ['opens a long', 'futures', held(0, 0), trade('buy', 2, 100), held(2, 200), null],
  ['adds to a long', 'futures', held(2, 200), trade('buy', 2, 110), held(4, 420), null],
  ['closes a half of a long', 'futures', held(4, 420), trade('sell', 2, 115), held(2, 210), 20],
  ['opens a short', 'futures', held(0, 0), trade('sell', 2, 100), held(-2, 200), null],
  ['closes a short with a gain', 'futures', held(-2, 200), trade('buy', 2, 90), held(0, 0), 20],
  ['closes a short with a loss', 'futures', held(-2, 200), trade('buy', 1, 130), held(-1, 100), -30],
  ['turns a long round', 'futures', held(2, 200), trade('sell', 5, 110), held(-3, 330), 20],
  ['buys coins, a fee in them taken off', 'spot', held(0, 0), trade('buy', 1, 100, 0.001), held(0.999, 99.9), null],
  ['sells what is held and no more', 'spot', held(1, 100), trade('sell', 2, 110), held(0, 0), 10],
] as const)('a trade that %s on %s', (_what, market, before, of, holding, pnl) => {
  expect(afterTrade(market, before, of)).toEqual({ holding, pnl: pnl === null ? null : unitsOf(pnl) })
})
