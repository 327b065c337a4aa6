import { afterEach, describe, expect, it } from 'vitest'
import type { OrderRequest } from '../live-trading.ts'
import { closeAccount, openAccount, openSpotAccount } from '../testing/open-local-account.ts'

afterEach(() => closeAccount())

const sale = { symbol: 'BTCUSDT', side: 'sell', quantity: 0.5 } as const

/** An account at the local Binance with 1 BTC, and a stop and a target for half of it. */
async function withPair() {
  const account = await openAccount('spot', { serverTime: Date.now })
  const { price } = account
  const [low, high] = [Math.floor(price * 0.97), Math.ceil(price * 1.03)]
  const stop: OrderRequest = { ...sale, type: 'stop', price: low, clientOrderId: 'stop' }
  const target: OrderRequest = { ...sale, type: 'take_profit', price: high, clientOrderId: 'target' }
  const find = async () => [
    await account.trading.findOrder('BTCUSDT', 'stop'),
    await account.trading.findOrder('BTCUSDT', 'target'),
  ]
  const coins = async () => (await account.trading.balances()).find(({ asset }) => asset === 'BTC')!
  return { ...account, low, high, stop, target, find, coins }
}

describe('a stop-loss and a take profit for the same coins', () => {
  it('are two open orders under our ids, which lock the coins once', async () => {
    const { trading, stop, target, find, coins } = await withPair()
    expect(await trading.takesTarget('BTCUSDT', true)).toBe(true)
    const placed = await trading.createPair(stop, target)
    expect(placed).toMatchObject([
      { clientOrderId: 'stop', status: 'open', quantity: 0.5, filled: 0 },
      { clientOrderId: 'target', status: 'open', quantity: 0.5, filled: 0 },
    ])
    expect(await find()).toMatchObject(placed.map(({ id, status }) => ({ id, status })))
    expect((await trading.openOrders('BTCUSDT')).map(({ id }) => id).toSorted()).toEqual(
      placed.map(({ id }) => id).toSorted(),
    )
    expect(await coins()).toMatchObject({ free: 0.5, used: 0.5 })
  })

  it.each([
    ['stop', 'low', ['filled', 'expired']],
    ['target', 'high', ['expired', 'filled']],
    ['wick through both', null, ['filled', 'expired']],
  ] as const)('sell them once, whatever comes first: %s', async (_, reached, ends) => {
    const { exchange, trading, stop, target, find, coins, ...at } = await withPair()
    await trading.createPair(stop, target)
    const range = reached === null ? { low: at.low, high: at.high } : { low: at[reached], high: at[reached] }
    exchange.spot.book.match('BTCUSDT', range)
    const found = await find()
    expect(found.map((order) => order?.status)).toEqual(ends)
    expect(found.reduce((sum, order) => sum + order!.filled, 0)).toBe(0.5)
    expect(await coins()).toMatchObject({ total: 0.5, used: 0 })
    exchange.spot.book.match('BTCUSDT', { low: at.low - 100, high: at.high + 100 })
    expect(await coins()).toMatchObject({ total: 0.5 })
  })

  it('end together when one is half filled, and the rest is free', async () => {
    const { exchange, trading, stop, target, find, high, coins } = await withPair()
    await trading.createPair(stop, target)
    exchange.faults.partialFills.push(0.5)
    exchange.spot.book.match('BTCUSDT', { low: high, high })
    expect(await find()).toMatchObject([
      { status: 'expired', filled: 0 },
      { status: 'expired', filled: 0.25 },
    ])
    expect(await coins()).toMatchObject({ total: 0.75, free: 0.75 })
  })

  it.each(['stop', 'target'] as const)('are both cancelled with one of them (%s)', async (name) => {
    const { trading, stop, target, find, coins } = await withPair()
    await trading.createPair(stop, target)
    expect(await trading.cancelOrder('BTCUSDT', name)).toMatchObject({ clientOrderId: name, status: 'canceled' })
    expect(await find()).toMatchObject([{ status: 'canceled' }, { status: 'canceled' }])
    await expect(trading.cancelOrder('BTCUSDT', 'stop')).rejects.toMatchObject({ code: 'not_found' })
    expect(await coins()).toMatchObject({ free: 1 })
  })

  it.each(['lose-reply', 'unknown-outcome'] as const)(
    'are in doubt where the answer is lost (%s), and found',
    async (kind) => {
      const { exchange, trading, stop, target, find } = await withPair()
      exchange.faults.rest({ at: /POST .*oco/, fault: { kind } })
      await expect(trading.createPair(stop, target)).rejects.toMatchObject({ code: 'order_ambiguous' })
      expect(await find()).toMatchObject([{ status: 'open' }, { status: 'open' }])
    },
  )

  it.each([
    '{}',
    '{"orderReports":[]}',
    '{"orderReports":[{"symbol":"BTCUSDT","orderId":7,"clientOrderId":"of somebody else","status":"NEW"}]}',
  ])('are in doubt where the answer is of something else: %s', async (body) => {
    const { exchange, trading, stop, target, find } = await withPair()
    exchange.faults.rest({ at: /POST .*oco/, fault: { kind: 'status', status: 200, body } })
    await expect(trading.createPair(stop, target)).rejects.toMatchObject({ code: 'order_ambiguous' })
    expect(await find()).toEqual([null, null])
  })

  it('are refused where the price is not between them, or the coins are not there: neither is placed', async () => {
    const { trading, price, stop, target, find } = await withPair()
    for (const [a, b] of [
      [{ ...stop, price: Math.ceil(price + 1) }, target],
      [stop, { ...target, price: Math.floor(price - 1) }],
    ] as const)
      await expect(trading.createPair(a, b)).rejects.toMatchObject({ code: 'order_rejected' })
    const many = { quantity: 1.5 }
    await expect(trading.createPair({ ...stop, ...many }, { ...target, ...many })).rejects.toMatchObject({
      code: 'insufficient_funds',
    })
    await expect(trading.createPair(stop, { ...target, side: 'buy' })).rejects.toMatchObject({ code: 'order_rejected' })
    expect(await find()).toEqual([null, null])
  })
})

it('an exchange without such pairs says so, and takes a take profit alone', async () => {
  const { trading, price } = await openSpotAccount('bybit')
  expect([await trading.takesTarget('BTCUSDT', true), await trading.takesTarget('BTCUSDT', false)]).toEqual([
    false,
    true,
  ])
  const stop: OrderRequest = { ...sale, type: 'stop', price: Math.floor(price * 0.97), clientOrderId: 'stop' }
  const target: OrderRequest = { ...sale, type: 'take_profit', price: Math.ceil(price * 1.03), clientOrderId: 'target' }
  await expect(trading.createPair(stop, target)).rejects.toMatchObject({ code: 'order_rejected' })
  expect(await trading.openOrders('BTCUSDT')).toEqual([])
})
