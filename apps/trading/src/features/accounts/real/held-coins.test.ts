import { describe, expect, it } from 'vitest'
import { heldCoins, type Traded } from './held-coins.ts'

type Sale = { sell: bigint; filled?: bigint; guards?: string; auto?: true; from?: number; to?: number | null }
/** Purchases by their id and what they brought; sales with what they wanted, what they sold, and from when to when. */
const held = (trades: readonly (readonly [id: string, brought: bigint] | Sale)[], buyId?: string): bigint => {
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
  return heldCoins(orders, (id) => brought.get(id)!, buyId)
}

describe('what was bought and not sold', () => {
  it('is 3 of 5 where 2 were sold, and what a sale did not fill stays', () => {
    expect(held([['a', 5n], { sell: 2n }])).toBe(3n)
    expect(held([['a', 5n], { sell: 4n, filled: 1n }])).toBe(4n)
  })

  it('lacks what a sale may yet sell', () => expect(held([['a', 5n], { sell: 4n, filled: 1n, to: null }])).toBe(1n))

  it('is not touched by coins of other origin: more sold than was bought, before or meanwhile', () => {
    expect(held([{ sell: 7n }, ['a', 5n]])).toBe(5n)
    expect(held([['a', 5n], { sell: 7n }, ['b', 2n]])).toBe(2n)
    expect(held([{ sell: 7n, filled: 0n, to: null }, ['a', 5n]])).toBe(5n)
  })

  it('is not what a sale took that was made while another kept the coins, until that one ended', () => {
    const stop = { sell: 5n, filled: 0n, guards: 'a', from: 1, to: 20 }
    expect(held([['a', 5n], stop, { sell: 3n, from: 10 }])).toBe(5n)
    expect(held([['a', 5n], stop, { sell: 3n, from: 19 }, { sell: 2n, from: 20 }])).toBe(3n)
    // What an auto-trade sold was bought here, whichever clock says what.
    expect(held([['a', 5n], stop, { sell: 5n, auto: true, from: 19 }])).toBe(0n)
    // 2 of its 5 were sold, 3 it kept; of 9 bought 4 were free.
    expect(held([['a', 5n], ['b', 4n], { ...stop, filled: 2n }, { sell: 6n, from: 10 }])).toBe(3n)
    // It wanted 8 where 5 were: it kept no coins of the next purchase.
    expect(held([['a', 5n], { ...stop, sell: 8n }, ['b', 2n], { sell: 2n, from: 10 }])).toBe(5n)
  })
})

describe('what one purchase has left', () => {
  it('is what it brought, whatever else is held', () =>
    expect(
      held(
        [
          ['m', 3n],
          ['a', 5n],
          ['b', 7n],
        ],
        'a',
      ),
    ).toBe(5n))

  it('lacks what its own stops sold, and not what those of others did', () => {
    const trades = [
      ['m', 9n],
      ['a', 5n],
      ['b', 4n],
    ] as const
    expect(held([...trades, { sell: 5n, guards: 'a' }], 'a')).toBe(0n)
    expect(held([...trades, { sell: 5n, filled: 2n, guards: 'a' }], 'a')).toBe(3n)
    expect(held([['m', 9n], { sell: 5n, guards: 'a' }, ['a', 5n]], 'a')).toBe(0n)
    expect(held([['a', 5n], { sell: 2n }, ['m', 9n], { sell: 3n, guards: 'a' }], 'a')).toBe(0n)
    expect(held([...trades, { sell: 4n, guards: 'b' }, { sell: 9n }], 'a')).toBe(5n)
  })

  it('is no more than was held at any time since, whatever was bought later', () => {
    expect(held([['a', 5n], { sell: 3n }, ['b', 4n]], 'a')).toBe(2n)
    expect(held([['a', 5n], { sell: 5n, to: null }, ['b', 4n]], 'a')).toBe(0n)
    expect(held([{ sell: 9n }, ['a', 5n]], 'a')).toBe(5n)
  })
})
