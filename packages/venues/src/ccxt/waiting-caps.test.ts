import { afterEach, expect, it } from 'vitest'
import type { OrderRequest } from '../live-trading.ts'
import { closeAccount, openAccount, openSpotAccount } from '../testing/open-local-account.ts'

afterEach(() => closeAccount())

const sale = { symbol: 'BTCUSDT', side: 'sell', quantity: 0.01 } as const

it.each([
  ['binance', 5, 200],
  ['bybit', 30, 500],
] as const)(
  'orders that wait on spot at %s are at most %i stops and targets, %i in all',
  async (id, conditional, all) => {
    const { exchange, trading, price } = await openSpotAccount(id)
    expect(await trading.mostWaiting('BTCUSDT')).toEqual({ conditional, all })
    const limit = (clientOrderId: string): OrderRequest => ({
      ...sale,
      type: 'limit',
      price: Math.ceil(price + 100),
      clientOrderId,
    })
    const stop = (clientOrderId: string): OrderRequest => ({
      ...sale,
      type: 'stop',
      price: Math.floor(price - 100),
      clientOrderId,
    })
    Object.assign(exchange.spot, { mostWaiting: 1, mostOrders: 3 })
    await trading.createOrder(stop('stop'))
    await expect(trading.createOrder(stop('one too many'))).rejects.toMatchObject({ code: 'order_rejected' })
    await trading.createOrder(limit('a'))
    await trading.createOrder(limit('b'))
    await expect(trading.createOrder(limit('c'))).rejects.toMatchObject({ code: 'order_rejected' })
    // What does not wait needs no room.
    expect(await trading.createOrder({ ...sale, type: 'market', clientOrderId: 'd' })).toMatchObject({
      status: 'filled',
    })
    await trading.cancelOrder('BTCUSDT', 'a')
    expect(await trading.createOrder(limit('c'))).toMatchObject({ status: 'open' })
  },
)

it('orders that wait on futures are at most 10 stops and targets, 200 in all', async () => {
  const { exchange, trading, price } = await openAccount('futures')
  expect(await trading.mostWaiting('BTCUSDT')).toEqual({ conditional: 10, all: 200 })
  const buy = (clientOrderId: string): OrderRequest => ({
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    quantity: 0.001,
    price: Math.floor(price / 2),
    clientOrderId,
  })
  for (let k = 0; k < 200; k++) await trading.createOrder(buy(`k${k}`))
  await expect(trading.createOrder(buy('one too many'))).rejects.toMatchObject({ code: 'order_rejected' })
  expect(exchange.futures.book.open('BTCUSDT')).toHaveLength(200)
})
