import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAccount, openAccount } from '../testing/open-local-account.ts'
import { clientOrderId } from './client-order-id.ts'

afterEach(() => closeAccount())

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: 0.01 } as const

describe('orders on spot', () => {
  it.each([
    [500, '{"code":-9999,"msg":"Unknown error, please check your request or try again later."}'],
    [503, '{"code":-2010,"msg":"Internal error"}'],
    [200, '{}'],
    [200, '<html><body>Sign in to this network</body></html>'],
    [200, '{"symbol":"BTCUSDT","orderId":77,"clientOrderId":"of somebody else","status":"FILLED"}'],
  ])('answered with %i %s are in doubt, whatever it says', async (status, body) => {
    const { exchange, trading } = await openAccount('spot')
    await trading.balances()
    const id = 'odd'
    exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'status', status, body } })
    await expect(trading.createOrder({ ...buy, clientOrderId: id })).rejects.toMatchObject({ code: 'order_ambiguous' })
    exchange.faults.rest({ at: /GET .*order/, fault: { kind: 'status', status, body } })
    await expect(trading.findOrder('BTCUSDT', id)).rejects.toThrow()
    await trading.createOrder({ ...buy, type: 'limit', price: 10_000, clientOrderId: id })
    exchange.faults.rest({ at: /DELETE .*order/, fault: { kind: 'status', status, body: '{}' } })
    await expect(trading.cancelOrder('BTCUSDT', id)).rejects.toMatchObject({ code: 'order_ambiguous' })
    expect(await trading.findOrder('BTCUSDT', id)).toMatchObject({ status: 'open' })
  })

  it('are not sent again where 503 says that their time is refused', async () => {
    const { exchange, trading } = await openAccount('spot')
    await trading.balances()
    const body = '{"code":-1021,"msg":"Timestamp for this request is outside of the recvWindow."}'
    const ordered = () => exchange.requests.filter(({ name }) => name === 'POST /api/v3/order').length
    for (const [status, code, times] of [
      [503, 'order_ambiguous', 1],
      [400, 'venue_auth_failed', 2],
    ] as const) {
      exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'status', status, body }, times })
      const before = ordered()
      await expect(trading.createOrder({ ...buy, clientOrderId: `at ${status}` })).rejects.toMatchObject({ code })
      expect(ordered() - before).toBe(times)
    }
  })

  it('are found by the venue’s own id, where it does not know ours any more', async () => {
    const { exchange, trading } = await openAccount('spot')
    const { id } = await trading.createOrder({ ...buy, type: 'limit', price: 10_000, clientOrderId: 'ours' })
    const order = exchange.spot.book.find('BTCUSDT', { clientOrderId: 'ours' })
    Object.assign(order, { clientOrderId: 'of the cancelling' })
    expect(await trading.findOrder('BTCUSDT', 'ours')).toBeNull()
    expect(await trading.findOrder('BTCUSDT', 'ours', id)).toMatchObject({ id, status: 'open' })
    const other = await trading.createOrder({ ...buy, clientOrderId: 'other' })
    const body = JSON.stringify({ symbol: 'BTCUSDT', orderId: Number(other.id), status: 'FILLED' })
    exchange.faults.rest({ at: /GET .*order/, fault: { kind: 'status', status: 200, body } })
    await expect(trading.findOrder('BTCUSDT', 'ours', id)).rejects.toMatchObject({ code: 'venue_unreachable' })
  })

  it('tell all their trades, of 2,100 parts too, each once', async () => {
    const { exchange, trading, price } = await openAccount('spot')
    const { id } = await trading.createOrder({ ...buy, clientOrderId: 'parts' })
    const order = exchange.spot.book.find('BTCUSDT', { clientOrderId: 'parts' })
    order.fills.length = 0
    const part = { price, qty: 0.00001, commission: 1e-8, commissionAsset: 'BNB' }
    for (let i = 0; i < 2_100; i++) order.fills.push({ ...part, tradeId: 5_000 + i })
    const fills = await trading.orderFills('BTCUSDT', id)
    expect(new Set(fills.map((fill) => fill.id)).size).toBe(2_100)
    expect(fills).toHaveLength(2_100)
    expect(fills[0]).toMatchObject({ quantity: 0.00001, fees: [{ asset: 'BNB', amount: 1e-8 }] })
  })

  it('leave no signed address in the errors of a lost connection', async () => {
    const { exchange, trading } = await openAccount('spot')
    await trading.balances()
    for (const [at, ask] of [
      [/GET .*order/, () => trading.findOrder('BTCUSDT', 'x')],
      [/DELETE .*order/, () => trading.cancelOrder('BTCUSDT', 'x')],
    ] as const) {
      exchange.faults.rest({ at, fault: { kind: 'drop' } })
      const error = await ask().then(
        () => null,
        (e: unknown) => e,
      )
      const all = inspect(error, { depth: 20, maxStringLength: null })
      expect(all).toContain('/api/v3/order?…')
      expect(all).not.toMatch(/signature|timestamp|recvWindow/i)
    }
  })

  it.each(['{}', '<html><body>Sign in to this network</body></html>'])(
    'do not make the account look empty where %s was answered',
    async (body) => {
      const { exchange, trading } = await openAccount('spot')
      exchange.faults.rest({ at: /GET .*account/, fault: { kind: 'status', status: 200, body }, times: 2 })
      await expect(trading.balances()).rejects.toMatchObject({ code: 'venue_unreachable' })
      await expect(trading.accountId()).rejects.toMatchObject({ code: 'venue_unreachable' })
      expect((await trading.balances()).find(({ asset }) => asset === 'BTC')).toMatchObject({ total: 1 })
    },
  )
})

describe('a client order id', () => {
  it('is the same for the same parts, and of a form that every exchange takes', () => {
    const id = clientOrderId('bot', 1, 'open')
    expect(clientOrderId('bot', 1, 'open')).toBe(id)
    expect(id).toMatch(/^sc[0-9a-f]{30}$/)
    expect(clientOrderId('bot', '1', 'open')).not.toBe(id)
    expect(clientOrderId('bot1', 'open')).not.toBe(id)
  })
})
