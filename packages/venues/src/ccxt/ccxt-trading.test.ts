import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import type { LiveTrading, VenueOrder } from '../live-trading.ts'
import type { StreamState } from '../live-venue.ts'
import { type LocalExchange, type LocalExchangeOptions, startLocalExchange } from '../local-exchange/local-exchange.ts'
import { MINUTE_MS, SERIES_START_MS, until, weekOfMinutes } from '../testing/open-local-venue.ts'
import type { AccountCalls } from './account-calls.ts'
import { createCcxtTrading, openTrading } from './ccxt-trading.ts'
import { clientOrderId } from './client-order-id.ts'
import { loadExchange } from './load-exchange.ts'

let close = async () => {}
afterEach(() => close())

async function open(marketType: 'spot' | 'futures', options: Partial<LocalExchangeOptions> = {}, timeoutMs = 60_000) {
  const startMs = SERIES_START_MS + 3000 * MINUTE_MS
  const exchange = await startLocalExchange({ series: weekOfMinutes(), startMs, ...options })
  const settings = { keys: exchange.credentials, urls: exchange.urls, marketType, timeoutMs, firstWaitMs: 20 }
  const trading = await openTrading('binance', settings)
  close = async () => {
    await trading.close()
    await exchange.close()
  }
  const price = exchange.data.last('BTCUSDT')!
  const orders = () => (marketType === 'spot' ? exchange.spot : exchange.futures).book.all
  return { exchange, trading, price, orders }
}

/** ccxt reads some of Binance's codes by the address that it asked: here it asks the real one, and is led to ours. */
async function atTheRealAddress(exchange: LocalExchange): Promise<LiveTrading> {
  const marketType = 'futures'
  const loaded = (await loadExchange('binance', { keys: exchange.credentials, marketType })) as AccountCalls & {
    fetchImplementation: typeof fetch
  }
  const ours = `http://${exchange.address}/fapi/`
  loaded.fetchImplementation = (url, init) => fetch(String(url).replace('https://fapi.binance.com/fapi/', ours), init)
  return createCcxtTrading({ exchange: loaded, marketType })
}

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: 0.01 } as const

describe('orders on spot', () => {
  it('fill at the price, move the balances and pay the fee', async () => {
    const { trading, price } = await open('spot')
    const order = await trading.createOrder({ ...buy, clientOrderId: 'first' })
    expect(order).toMatchObject({
      clientOrderId: 'first',
      symbol: 'BTCUSDT',
      side: 'buy',
      status: 'filled',
      quantity: 0.01,
      filled: 0.01,
      average: price,
      price: null,
      fees: [{ asset: 'BTC', amount: 0.00001 }],
    })
    const balances = new Map((await trading.balances()).map((b) => [b.asset, b]))
    expect(balances.get('USDT')!.total).toBeCloseTo(10_000 - 0.01 * price, 6)
    // 0.01 less a thousandth of it.
    expect(balances.get('BTC')!.total).toBeCloseTo(1.00999, 9)
    expect(await trading.findOrder('BTCUSDT', 'first')).toMatchObject({ id: order.id, status: 'filled', filled: 0.01 })
    expect(await trading.findOrder('BTCUSDT', 'other')).toBeNull()
  })

  it('of a limit lock money, wait, are cancelled, or fill once the price is there', async () => {
    const { exchange, trading, price } = await open('spot')
    const limit = { ...buy, type: 'limit' } as const
    const below = await trading.createOrder({ ...limit, price: price - 1000, clientOrderId: 'low' })
    expect(below).toMatchObject({ status: 'open', filled: 0, average: null, price: price - 1000 })
    expect((await trading.balances()).find((b) => b.asset === 'USDT')).toMatchObject({
      used: expect.closeTo(0.01 * (price - 1000), 6),
      total: 10_000,
    })
    expect((await trading.openOrders()).map((o) => o.clientOrderId)).toEqual(['low'])
    expect(await trading.cancelOrder('BTCUSDT', 'low')).toMatchObject({ status: 'canceled' })
    await expect(trading.cancelOrder('BTCUSDT', 'low')).rejects.toMatchObject({ code: 'not_found' })
    const candle = exchange.data.candleAt('BTCUSDT', MINUTE_MS, exchange.clock.now())!
    await trading.createOrder({ ...limit, price: Math.floor(candle.open - 5), clientOrderId: 'near' })
    for (let i = 0; i < 200 && exchange.spot.book.open().length > 0; i++) exchange.clock.advance(MINUTE_MS)
    const near = await trading.findOrder('BTCUSDT', 'near')
    expect(near).toMatchObject({ status: 'filled', average: Math.floor(candle.open - 5) })
  })

  it('tell their trades, each with its fee', async () => {
    const { exchange, trading, price } = await open('spot')
    exchange.faults.partialFills.push(0.4)
    const above = { ...buy, type: 'limit', price: Math.ceil(price + 10), clientOrderId: 'parts' } as const
    const { id } = await trading.createOrder(above)
    exchange.spot.book.fillRest(exchange.spot.book.find('BTCUSDT', { clientOrderId: 'parts' }))
    const fills = await trading.orderFills('BTCUSDT', id)
    expect(fills.map(({ quantity, fees }) => [quantity, fees])).toEqual([
      [0.004, [{ asset: 'BTC', amount: 0.000004 }]],
      [0.006, [{ asset: 'BTC', amount: 0.000006 }]],
    ])
    expect(fills[0]!.price).toBe(price)
    expect(new Set(fills.map((fill) => fill.id)).size).toBe(2)
  })

  it('that stop a loss lock the coins, wait, and sell at the market once the price has fallen', async () => {
    const { exchange, trading, price } = await open('spot')
    expect(await trading.takesStops('BTCUSDT')).toBe(true)
    const stop = { ...buy, side: 'sell', type: 'stop', price: Math.floor(price * 0.97) } as const
    const placed = await trading.createOrder({ ...stop, clientOrderId: 'stop' })
    expect(placed).toMatchObject({ status: 'open', filled: 0, side: 'sell', quantity: 0.01 })
    expect((await trading.balances()).find((b) => b.asset === 'BTC')).toMatchObject({ free: 0.99, used: 0.01 })
    exchange.spot.book.match('BTCUSDT', { low: stop.price + 0.01, high: price })
    expect(await trading.findOrder('BTCUSDT', 'stop')).toMatchObject({ status: 'open' })
    exchange.spot.book.match('BTCUSDT', { low: stop.price - 20, high: stop.price - 5 })
    const sold = await trading.findOrder('BTCUSDT', 'stop')
    expect(sold).toMatchObject({ status: 'filled', filled: 0.01, average: stop.price - 5 })
    for (const late of [{ price: Math.ceil(price + 1) }, { side: 'buy' }, { price: undefined }] as const)
      await expect(trading.createOrder({ ...stop, ...late, clientOrderId: 'late' })).rejects.toMatchObject({
        code: 'order_rejected',
      })
  })

  it('fill in part, and the rest later', async () => {
    const { exchange, trading, price } = await open('spot')
    exchange.faults.partialFills.push(0.4)
    const above = { ...buy, type: 'limit', price: Math.ceil(price + 10), clientOrderId: 'part' } as const
    const part = await trading.createOrder(above)
    expect(part).toMatchObject({ status: 'open', quantity: 0.01 })
    expect(part.filled).toBeCloseTo(0.004, 9)
    exchange.spot.book.fillRest(exchange.spot.book.find('BTCUSDT', { clientOrderId: 'part' }))
    expect(await trading.findOrder('BTCUSDT', 'part')).toMatchObject({ status: 'filled', filled: 0.01 })
  })

  it.each(['lose-reply', 'unknown-outcome'] as const)(
    'whose answer is lost (%s) are in doubt, and found by their id',
    async (kind) => {
      const { exchange, trading, orders } = await open('spot')
      await trading.balances()
      exchange.faults.rest({ at: /POST .*order/, fault: { kind } })
      const id = clientOrderId('bot 7', 1_700_000_000_000, 'open')
      await expect(trading.createOrder({ ...buy, clientOrderId: id })).rejects.toMatchObject({
        code: 'order_ambiguous',
      })
      expect(await trading.findOrder('BTCUSDT', id)).toMatchObject({ clientOrderId: id, status: 'filled' })
      expect(orders()).toHaveLength(1)
    },
  )

  it('that were never taken are in doubt too, and not found', async () => {
    const { exchange, trading, orders } = await open('spot')
    await trading.balances()
    exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'status', status: 504 } })
    const request = { ...buy, clientOrderId: 'never' }
    await expect(trading.createOrder(request)).rejects.toMatchObject({ code: 'order_ambiguous' })
    expect(await trading.findOrder('BTCUSDT', 'never')).toBeNull()
    expect(orders()).toEqual([])
  })

  it('that time out are found once the venue has got to them', async () => {
    const { exchange, trading, orders } = await open('spot', {}, 3_000)
    await trading.balances()
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'held', until: held } })
    await expect(trading.createOrder({ ...buy, clientOrderId: 'slow' })).rejects.toMatchObject({
      code: 'order_ambiguous',
    })
    expect(await trading.findOrder('BTCUSDT', 'slow')).toBeNull()
    goOn()
    await until(() => orders().length === 1, 'the order')
    expect(await trading.findOrder('BTCUSDT', 'slow')).toMatchObject({ clientOrderId: 'slow', status: 'filled' })
  })

  it.each([
    [500, '{"code":-9999,"msg":"Unknown error, please check your request or try again later."}'],
    [503, '{"code":-2010,"msg":"Internal error"}'],
    [200, '{}'],
    [200, '<html><body>Sign in to this network</body></html>'],
    [200, '{"symbol":"BTCUSDT","orderId":77,"clientOrderId":"of somebody else","status":"FILLED"}'],
  ])('answered with %i %s are in doubt, whatever it says', async (status, body) => {
    const { exchange, trading } = await open('spot')
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

  it('are refused by the venue where they were held up for longer than it takes them, and go through before that', async () => {
    const { trading, orders } = await open('spot')
    await expect(trading.createOrder({ ...buy, clientOrderId: 'old', ageMs: 10_500 })).rejects.toMatchObject({
      code: 'venue_auth_failed',
      message: expect.stringContaining('-1021'),
    })
    expect(orders()).toEqual([])
    expect(await trading.createOrder({ ...buy, clientOrderId: 'young', ageMs: 7_000 })).toMatchObject({ filled: 0.01 })
  })

  it('are not sent again where 503 says that their time is refused', async () => {
    const { exchange, trading } = await open('spot')
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
    const { exchange, trading } = await open('spot')
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
    const { exchange, trading, price } = await open('spot')
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
    const { exchange, trading } = await open('spot')
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

  it('are refused with a reason of ours', async () => {
    const { exchange, trading, price } = await open('spot')
    const asked = (over: object) => trading.createOrder({ ...buy, clientOrderId: 'x', ...over })
    await expect(asked({ quantity: 100 })).rejects.toMatchObject({ code: 'insufficient_funds' })
    await expect(asked({ symbol: 'NOSUCHUSDT' })).rejects.toMatchObject({ code: 'unknown_symbol' })
    await expect(asked({ type: 'limit', quantity: 0.0001, price: 100 })).rejects.toMatchObject({
      code: 'order_rejected',
    })
    await asked({ type: 'limit', price: Math.floor(price - 100), clientOrderId: 'twice' })
    await expect(asked({ type: 'limit', price: 100, clientOrderId: 'twice' })).rejects.toMatchObject({
      code: 'order_rejected',
    })
    exchange.faults.rest({ at: /order/, fault: { kind: 'limited', status: 429, retryAfterS: 0.05 } })
    await expect(asked({})).rejects.toMatchObject({ code: 'venue_rate_limited', retryAfterS: 0.05 })
  })

  it('are refused where key or secret are wrong', async () => {
    const { exchange } = await open('spot')
    const { apiKey, secret } = exchange.credentials
    for (const keys of [
      { apiKey: 'nobody', secret },
      { apiKey, secret: 'wrong' },
    ]) {
      const other = await openTrading('binance', { keys, urls: exchange.urls })
      await expect(other.balances()).rejects.toMatchObject({ code: 'venue_auth_failed' })
      await expect(other.createOrder({ ...buy, clientOrderId: 'y' })).rejects.toMatchObject({
        code: 'venue_auth_failed',
      })
      await other.close()
    }
  })

  it('go through though the clocks drift apart', async () => {
    const { exchange, trading } = await open('spot')
    await trading.balances()
    for (const skewMs of [60_000, -60_000]) {
      exchange.skewMs = skewMs
      const order = await trading.createOrder({ ...buy, clientOrderId: `skew${skewMs}` })
      expect(order.status).toBe('filled')
    }
  })

  it('are told by websocket, after a lost connection too', async () => {
    const { exchange, trading } = await open('spot')
    const heard: VenueOrder[] = []
    const states: StreamState[] = []
    trading.subscribeOrders(
      (o) => heard.push(o),
      (s) => states.push(s),
    )
    await until(() => states.length === 1 && exchange.streams.users === 1, 'connected')
    expect(trading.websocketOpen()).toBe(true)
    await trading.createOrder({ ...buy, clientOrderId: 'told' })
    await until(() => heard.some((o) => o.status === 'filled'), 'the fill')
    expect(heard.at(-1)).toMatchObject({ symbol: 'BTCUSDT', clientOrderId: 'told', filled: 0.01 })
    exchange.streams.cut()
    await until(() => states.length === 3 && exchange.streams.users === 1, 'connected again')
    await trading.createOrder({ ...buy, side: 'sell', clientOrderId: 'again' })
    await until(() => heard.at(-1)?.clientOrderId === 'again', 'the second order')
  })

  it.each(['{}', '<html><body>Sign in to this network</body></html>'])(
    'do not make the account look empty where %s was answered',
    async (body) => {
      const { exchange, trading } = await open('spot')
      exchange.faults.rest({ at: /GET .*account/, fault: { kind: 'status', status: 200, body }, times: 2 })
      await expect(trading.balances()).rejects.toMatchObject({ code: 'venue_unreachable' })
      await expect(trading.accountId()).rejects.toMatchObject({ code: 'venue_unreachable' })
      expect((await trading.balances()).find(({ asset }) => asset === 'BTC')).toMatchObject({ total: 1 })
    },
  )

  it('belong to sub-accounts, which are listed', async () => {
    const { trading } = await open('spot')
    expect(await trading.subAccounts()).toEqual([{ id: 'bots@example.com', name: 'bots@example.com' }])
  })
})

describe('orders on futures', () => {
  it('are no stops', async () => {
    const { trading, orders } = await open('futures')
    expect(await trading.takesStops('BTCUSDT')).toBe(false)
    const stop = { ...buy, side: 'sell', type: 'stop', price: 100, clientOrderId: 'stop' } as const
    await expect(trading.createOrder(stop)).rejects.toMatchObject({ code: 'order_rejected' })
    expect(orders()).toEqual([])
  })

  it('open and close a position with the leverage and margin mode that were set', async () => {
    const { exchange, trading, price } = await open('futures')
    await trading.setLeverage('BTCUSDT', 10)
    await trading.setMarginMode('BTCUSDT', 'isolated')
    await trading.setMarginMode('BTCUSDT', 'isolated')
    const order = await trading.createOrder({ ...buy, quantity: 0.1, clientOrderId: 'long' })
    expect(order).toMatchObject({ status: 'filled', filled: 0.1, average: price })
    const [position] = await trading.positions(['BTCUSDT'])
    expect(position).toMatchObject({
      symbol: 'BTCUSDT',
      side: 'long',
      quantity: 0.1,
      entryPrice: price,
      leverage: 10,
      marginMode: 'isolated',
      unrealisedPnl: 0,
    })
    // A tenth of the notional as margin, and 0.04 % of it as fee.
    const [usdt] = await trading.balances()
    expect(usdt).toMatchObject({ asset: 'USDT', total: expect.closeTo(10_000 - 0.1 * price * 0.0004, 6) })
    expect(usdt!.used).toBeCloseTo(0.1 * price * 0.1, 6)
    await expect(trading.setMarginMode('BTCUSDT', 'cross')).rejects.toMatchObject({ code: 'order_rejected' })

    exchange.clock.advance(5 * MINUTE_MS)
    const later = exchange.data.last('BTCUSDT')!
    const closing = { ...buy, side: 'sell', quantity: 0.1, reduceOnly: true, clientOrderId: 'flat' } as const
    await trading.createOrder(closing)
    expect(await trading.positions()).toEqual([])
    const [flat] = await trading.balances()
    expect(flat!.total).toBeCloseTo(10_000 + 0.1 * (later - price) - 0.1 * (later + price) * 0.0004, 6)
    await expect(trading.createOrder({ ...closing, clientOrderId: 'more' })).rejects.toMatchObject({
      code: 'order_rejected',
    })
  })

  it('are refused above the margin, with too small a value and with a leverage that there is not', async () => {
    const { exchange } = await open('futures')
    const trading = await atTheRealAddress(exchange)
    const asked = (quantity: number) => trading.createOrder({ ...buy, quantity, clientOrderId: `q${quantity}` })
    await expect(asked(500)).rejects.toMatchObject({ code: 'insufficient_funds' })
    await expect(
      trading.createOrder({ ...buy, type: 'limit', quantity: 0.001, price: 100, clientOrderId: 'small' }),
    ).rejects.toMatchObject({ code: 'order_rejected' })
    await expect(trading.setLeverage('BTCUSDT', 500)).rejects.toMatchObject({ code: 'order_rejected' })
    await trading.close()
  })

  it('whose answer is lost are in doubt, and found by their id', async () => {
    const { exchange, trading, orders } = await open('futures')
    await trading.balances()
    exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'lose-reply' } })
    await expect(trading.createOrder({ ...buy, clientOrderId: 'lost' })).rejects.toMatchObject({
      code: 'order_ambiguous',
    })
    expect(await trading.findOrder('BTCUSDT', 'lost')).toMatchObject({ clientOrderId: 'lost', status: 'filled' })
    expect(orders()).toHaveLength(1)
    expect(await trading.positions()).toMatchObject([{ quantity: 0.01, side: 'long' }])
  })

  it('wait, are listed and cancelled, and are told by websocket', async () => {
    const { trading, price } = await open('futures')
    const heard: VenueOrder[] = []
    trading.subscribeOrders((o) => heard.push(o))
    await until(() => trading.websocketOpen(), 'connected')
    const limit = { ...buy, type: 'limit', price: Math.floor(price - 500), clientOrderId: 'wait' } as const
    await trading.createOrder(limit)
    expect((await trading.openOrders('BTCUSDT')).map((o) => [o.clientOrderId, o.status])).toEqual([['wait', 'open']])
    await trading.cancelOrder('BTCUSDT', 'wait')
    await until(() => heard.some((o) => o.status === 'canceled'), 'the cancellation')
    expect(heard.map((o) => o.clientOrderId)).toContain('wait')
    expect(await trading.openOrders('BTCUSDT')).toEqual([])
  })
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
