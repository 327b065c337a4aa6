import { describe, expect, it } from 'vitest'
import { asPurchases, coinsLeftOf, heldCoins, type Traded } from './held-coins.ts'

type Purchase = readonly [id: string, brought: bigint]
/** `filled`: all of it where left out. `from`, `to`: when it was made and ended; `to` null while it may yet fill. */
type Sale = { sell: bigint; filled?: bigint; guards?: string; auto?: true; from?: number; to?: number | null }
type Trades = readonly (Purchase | Sale)[]

function ordersOf(trades: Trades): [orders: Traded[], broughtBy: (id: string) => bigint] {
  const brought = new Map<string, bigint>()
  const orders = trades.map((trade, i): Traded => {
    if (!('sell' in trade)) {
      const [id, coins] = trade
      brought.set(id, coins)
      const bought = { quantity: coins, filled: coins, guardsId: null, createdAtMs: i, closedAtMs: i }
      return { id, side: 'buy', source: 'user', ...bought }
    }
    const { sell, filled = trade.sell, guards = null, auto = false, from = i, to = i } = trade
    const sold = { quantity: sell, filled, guardsId: guards, createdAtMs: from, closedAtMs: to }
    return { id: `sale ${i}`, side: 'sell', source: auto || guards !== null ? 'auto_trade' : 'user', ...sold }
  })
  return [orders, (id) => brought.get(id)!]
}

/** A stop over purchase a that waited from 1 to 20 and sold nothing. */
const STOP: Sale = { sell: 5n, filled: 0n, guards: 'a', from: 1, to: 20 }

describe('what was bought here and not sold', () => {
  it.each<[name: string, trades: Trades, held: bigint]>([
    ['a purchase brings its coins', [['a', 5n]], 5n],
    ['a sale takes of them', [['a', 5n], { sell: 2n }], 3n],
    ['a sale that ended takes what it filled', [['a', 5n], { sell: 4n, filled: 1n }], 4n],
    ['a sale that may yet fill takes all that it may', [['a', 5n], { sell: 4n, filled: 1n, to: null }], 1n],
    ['a sale before any purchase is of other coins', [{ sell: 7n }, ['a', 5n]], 5n],
    ['so is one that may yet fill', [{ sell: 7n, filled: 0n, to: null }, ['a', 5n]], 5n],
    ['what it takes beyond ours is of other coins', [['a', 5n], { sell: 7n }, ['b', 2n]], 2n],
    ["an owner's sale while a stop keeps ours is of other coins", [['a', 5n], STOP, { sell: 3n, from: 10 }], 5n],
    ['and of ours once that stop has ended', [['a', 5n], STOP, { sell: 3n, from: 19 }, { sell: 2n, from: 20 }], 3n],
    ["a model's sale is of ours, whichever clock says what", [['a', 5n], STOP, { sell: 5n, auto: true, from: 19 }], 0n],
    [
      'a stop that sold 2 of its 5 kept 3: of 9 bought 4 were open to the next sale',
      [['a', 5n], ['b', 4n], { ...STOP, filled: 2n }, { sell: 6n, from: 10 }],
      3n,
    ],
    [
      'a stop over 8 where 5 were kept nothing of the next purchase',
      [['a', 5n], { ...STOP, sell: 8n }, ['b', 2n], { sell: 2n, from: 10 }],
      5n,
    ],
  ])('%s', (_name, trades, held) => expect(heldCoins(...ordersOf(trades))).toBe(held))
})

describe('what purchase a has left of its 5', () => {
  const BETWEEN: Trades = [
    ['m', 9n],
    ['a', 5n],
    ['b', 4n],
  ]
  it.each<[name: string, trades: Trades, left: bigint]>([
    ['all of it, whatever else is held', BETWEEN, 5n],
    ['nothing once its stop has sold', [...BETWEEN, { sell: 5n, guards: 'a' }], 0n],
    ['3 where its stop sold 2', [...BETWEEN, { sell: 5n, filled: 2n, guards: 'a' }], 3n],
    ['all of it where the stop of another sold', [...BETWEEN, { sell: 4n, guards: 'b' }, { sell: 9n }], 5n],
    [
      'nothing where its stop sold before it, by a clock set back',
      [['m', 9n], { sell: 5n, guards: 'a' }, ['a', 5n]],
      0n,
    ],
    ['what was held at the least since', [['a', 5n], { sell: 3n }, ['b', 4n]], 2n],
    ['also where that sale may yet fill', [['a', 5n], { sell: 5n, to: null }, ['b', 4n]], 0n],
    ['that less what its own stop sold', [['a', 5n], { sell: 2n }, ['m', 9n], { sell: 3n, guards: 'a' }], 0n],
    ['all of it where other coins were sold before', [{ sell: 9n }, ['a', 5n]], 5n],
  ])('%s', (_name, trades, left) => expect(coinsLeftOf('a', ...ordersOf(trades))).toBe(left))
})

it('positions of one side are what enters on it and what closes it, and none of the other side', () => {
  const order = (id: string, side: 'buy' | 'sell', reduceOnly: boolean) => {
    const traded = { quantity: 5n, filled: 5n, guardsId: null, createdAtMs: 0, closedAtMs: 0 }
    return { id, side, reduceOnly, source: 'bot', ...traded } as const
  }
  const turned = [
    order('long', 'buy', false),
    order('long closed', 'sell', true),
    order('short', 'sell', false),
    order('short closed', 'buy', true),
    order('short again', 'sell', false),
  ]
  const [longs, shorts] = [asPurchases(turned, 'buy'), asPurchases(turned, 'sell')]
  expect(shorts.map(({ id, side }) => `${id}: ${side}`)).toEqual([
    'short: buy',
    'short closed: sell',
    'short again: buy',
  ])
  expect([heldCoins(longs, () => 5n), heldCoins(shorts, () => 5n)]).toEqual([0n, 5n])
  // What was left of the first short went with it.
  expect([coinsLeftOf('short', shorts, () => 5n), coinsLeftOf('short again', shorts, () => 5n)]).toEqual([0n, 5n])
})
