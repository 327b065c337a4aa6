import { afterEach, describe, expect, it } from 'vitest'
import type { LocalBybit } from '../testing/local-exchange/bybit/local-bybit.ts'
import { closeAccount, openSpotAccount } from '../testing/open-local-account.ts'
import { loadExchange } from './load-exchange.ts'

afterEach(() => closeAccount())

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: 0.01 } as const

async function open() {
  const opened = await openSpotAccount('bybit')
  return { ...opened, exchange: opened.exchange as LocalBybit }
}

describe('an order at Bybit', () => {
  it('is looked up after it was taken, since its answer says nothing but its id', async () => {
    const { exchange, trading, price } = await open()
    expect(await trading.createOrder({ ...buy, clientOrderId: 'at-once' })).toMatchObject({
      status: 'filled',
      average: price,
    })
    // Nothing can be read of it, and yet it was taken.
    exchange.faults.rest({ at: /GET .*order/, fault: { kind: 'status', status: 503 }, times: 20 })
    expect(await trading.createOrder({ ...buy, clientOrderId: 'unread' })).toMatchObject({
      clientOrderId: 'unread',
      status: 'open',
      filled: 0,
    })
    exchange.faults.clear()
    expect(await trading.findOrder('BTCUSDT', 'unread')).toMatchObject({ status: 'filled' })
  })

  it('is not found while Bybit does not know it for a moment, and then is', async () => {
    const { exchange, trading, orders } = await open()
    exchange.faults.rest({ at: /create/, fault: { kind: 'lose-reply' } })
    await expect(trading.createOrder({ ...buy, clientOrderId: 'late' })).rejects.toMatchObject({
      code: 'order_ambiguous',
    })
    exchange.hidden.looks = 2
    expect(await trading.findOrder('BTCUSDT', 'late')).toBeNull()
    exchange.hidden.looks = 0
    expect(await trading.findOrder('BTCUSDT', 'late')).toMatchObject({ status: 'filled' })
    expect(orders()).toHaveLength(1)
  })

  it.each([10000, 10016, 170146, 170149, 170234])(
    'that it answers with %i is in doubt, whatever ccxt makes of that',
    async (retCode) => {
      const { exchange, trading } = await open()
      const body = JSON.stringify({ retCode, retMsg: 'of its own making', result: {}, time: 1 })
      exchange.faults.rest({ at: /create/, fault: { kind: 'status', status: 200, body } })
      await expect(trading.createOrder({ ...buy, clientOrderId: 'odd' })).rejects.toMatchObject({
        code: 'order_ambiguous',
      })
    },
  )

  it('cannot have the id of another one, ended ones included', async () => {
    const { trading } = await open()
    await trading.createOrder({ ...buy, clientOrderId: 'one' })
    await expect(trading.createOrder({ ...buy, clientOrderId: 'one' })).rejects.toMatchObject({
      code: 'order_rejected',
    })
  })

  it('is found in the history where it is too old for the list of late ones', async () => {
    const { exchange, trading } = await open()
    const { id } = await trading.createOrder({ ...buy, clientOrderId: 'old' })
    const { book } = exchange.spot
    const old = book.find('BTCUSDT', { clientOrderId: 'old' })
    for (let i = 0; i < 60; i++)
      book.place({ ...old, clientOrderId: `later-${i}`, qty: 0.0001 }, exchange.data.last('BTCUSDT')!)
    expect(await trading.findOrder('BTCUSDT', 'old')).toMatchObject({ id, status: 'filled' })
    expect(await trading.findOrder('BTCUSDT', 'old', id)).toMatchObject({ id, status: 'filled' })
  })

  it('is not called filled when it was cancelled after a partial fill', async () => {
    const { exchange, trading, price } = await open()
    exchange.faults.partialFills.push(0.4, 0.3)
    expect(await trading.createOrder({ ...buy, clientOrderId: 'market' })).toMatchObject({
      status: 'expired',
      filled: 0.004,
    })
    await trading.createOrder({ ...buy, type: 'limit', price: Math.ceil(price + 10), clientOrderId: 'limit' })
    expect(await trading.cancelOrder('BTCUSDT', 'limit')).toMatchObject({ status: 'canceled', filled: 0.003 })
  })

  it('is cancelled once, as a stop order, when it stops a loss', async () => {
    const { exchange, trading, price } = await open()
    const stop = { ...buy, side: 'sell', type: 'stop', price: Math.floor(price * 0.97), clientOrderId: 'stop' } as const
    await trading.createOrder(stop)
    exchange.faults.rest({ at: /cancel/, fault: { kind: 'lose-reply' } })
    await expect(trading.cancelOrder('BTCUSDT', 'stop')).rejects.toMatchObject({ code: 'order_ambiguous' })
    expect(await trading.findOrder('BTCUSDT', 'stop')).toMatchObject({ status: 'canceled' })
    await expect(trading.cancelOrder('BTCUSDT', 'stop')).rejects.toMatchObject({ code: 'not_found' })
    await trading.createOrder({ ...stop, clientOrderId: 'stop-2' })
    expect(await trading.cancelOrder('BTCUSDT', 'stop-2')).toMatchObject({ status: 'canceled', filled: 0 })
    expect(exchange.spot.free('BTC')).toBe(1)
  })

  it('is called gone when it ended before it could be cancelled', async () => {
    const { exchange, trading } = await open()
    await trading.createOrder({ ...buy, type: 'limit', price: 10_000, clientOrderId: 'gone' })
    const body = JSON.stringify({ retCode: 170139, retMsg: 'Order has been filled.', result: {}, time: 1 })
    exchange.faults.rest({ at: /cancel/, fault: { kind: 'status', status: 200, body } })
    await expect(trading.cancelOrder('BTCUSDT', 'gone')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('tells all its trades, of 250 parts too, each once', async () => {
    const { exchange, trading, price } = await open()
    const { id } = await trading.createOrder({ ...buy, clientOrderId: 'parts' })
    const order = exchange.spot.book.find('BTCUSDT', { clientOrderId: 'parts' })
    order.fills.length = 0
    const part = { price, qty: 0.00004, commission: 1e-8, commissionAsset: 'BTC' }
    for (let i = 0; i < 250; i++) order.fills.push({ ...part, tradeId: 5_000 + i })
    const fills = await trading.orderFills('BTCUSDT', id)
    expect([fills.length, new Set(fills.map((fill) => fill.id)).size]).toEqual([250, 250])
  })
})

describe('a key of Bybit', () => {
  it('tells what it may do', async () => {
    const { exchange, trading } = await open()
    expect(await trading.keyRights()).toEqual({ withdraw: false, spot: true, futures: false })
    exchange.permissions.Wallet = ['AccountTransfer', 'Withdraw']
    exchange.permissions.ContractTrade = ['Order', 'Position']
    expect(await trading.keyRights()).toEqual({ withdraw: true, spot: true, futures: true })
    exchange.permissions.Spot = []
    expect(await trading.keyRights()).toMatchObject({ spot: false })
  })

  it('is used at the sandbox where TESTNET is on', async () => {
    const loaded = (await loadExchange('bybit', { testnet: true })) as { urls: { api: { private: string } } }
    expect(loaded.urls.api.private).toContain('//api-testnet.')
  })
})
