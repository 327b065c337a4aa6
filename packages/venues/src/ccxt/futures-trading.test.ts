import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LiveTrading, OrderRequest } from '../live-trading.ts'
import type { LocalExchange } from '../testing/local-exchange/local-exchange.ts'
import { closeAccount, openAccount } from '../testing/open-local-account.ts'
import { MINUTE_MS } from '../testing/open-local-venue.ts'
import type { AccountCalls } from './calls/account-calls.ts'
import { createCcxtTrading, openTrading } from './ccxt-trading.ts'
import { loadExchange } from './load-exchange.ts'

type Account = Awaited<ReturnType<typeof openAccount>>
let account: Account
beforeAll(async () => {
  // A clock that stands would have the requests of a whole file refused.
  account = await openAccount('futures', { serverTime: Date.now })
})
afterAll(() => closeAccount())
beforeEach(() => {
  const { faults, futures } = account.exchange
  faults.clear()
  for (const order of futures.book.open()) futures.book.cancel(order)
  for (const stop of futures.stops.open()) futures.stops.cancel(stop)
  futures.positions.clear()
  futures.marks.clear()
  futures.incomes.length = 0
  futures.wallet = 10_000
})

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: 0.1 } as const
const sell = { ...buy, side: 'sell' } as const
/** Of each fill's value. */
const FEE = 0.0004
const MAINTENANCE = 0.004

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

/** The account with isolated margin, ten times leveraged, and what the exchange has of it from here on. */
async function isolated() {
  const { exchange, trading } = account
  await trading.isolate('BTCUSDT', 10)
  const before = exchange.futures.book.all.length
  const orders = () => exchange.futures.book.all.slice(before)
  return { exchange, trading, orders, price: exchange.data.last('BTCUSDT')!, since: exchange.clock.now() }
}

const changes = ({ requests }: LocalExchange) => requests.filter(({ name }) => name.startsWith('POST')).length
const usdt = async (trading: LiveTrading) => (await trading.balances()).find(({ asset }) => asset === 'USDT')!

describe('margin on futures', () => {
  it('is isolated with the leverage that is asked for, and left alone where it is so already', async () => {
    const { exchange, trading } = await isolated()
    expect(exchange.futures.position('BTCUSDT')).toMatchObject({ isolated: true, leverage: 10 })
    const before = changes(exchange)
    await trading.isolate('BTCUSDT', 10)
    expect(changes(exchange)).toBe(before)
    await trading.isolate('BTCUSDT', 5)
    expect([changes(exchange) - before, exchange.futures.position('BTCUSDT').leverage]).toEqual([1, 5])
    // The other market keeps what it has.
    expect(exchange.futures.position('ETHUSDT')).toMatchObject({ isolated: false, leverage: 20 })
  })

  it('is set though the answer to setting it is lost, or somebody else has just set it', async () => {
    const { exchange, trading } = account
    exchange.faults.rest({ at: /POST .*marginType/, fault: { kind: 'lose-reply' } })
    exchange.faults.rest({ at: /POST .*leverage/, fault: { kind: 'unknown-outcome' } })
    await trading.isolate('BTCUSDT', 3)
    expect(exchange.futures.position('BTCUSDT')).toMatchObject({ isolated: true, leverage: 3 })
    const held = JSON.stringify([{ symbol: 'ETHUSDT', marginType: 'CROSSED', isAutoAddMargin: false, leverage: 7 }])
    exchange.faults.rest({ at: /symbolConfig/, fault: { kind: 'status', status: 200, body: held } })
    Object.assign(exchange.futures.position('ETHUSDT'), { isolated: true, leverage: 7 })
    await trading.isolate('ETHUSDT', 7)
  })

  it('stops trading and says why when it cannot be set', async () => {
    const { exchange, trading } = account
    await trading.createOrder({ ...buy, clientOrderId: 'cross' })
    await expect(trading.isolate('BTCUSDT', 10)).rejects.toMatchObject({
      code: 'order_rejected',
      message: expect.stringContaining('Margin type cannot be changed if there exists position'),
    })
    await expect(trading.isolate('ETHUSDT', 126)).rejects.toMatchObject({ code: 'order_rejected' })
    exchange.faults.rest({ at: /POST .*leverage/, fault: { kind: 'status', status: 502 } })
    await expect(trading.isolate('ETHUSDT', 9)).rejects.toMatchObject({ code: 'venue_unreachable' })
  })

  it('is not touched in hedge mode, which a person has to leave', async () => {
    const { exchange } = account
    exchange.futures.hedged = true
    const before = changes(exchange)
    const settings = { keys: exchange.credentials, urls: exchange.urls, marketType: 'futures' } as const
    const trading = await openTrading('binance', settings)
    await expect(trading.isolate('BTCUSDT', 10)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringMatching(/hedge mode.*one-way.*Nothing was sent/),
    })
    expect(changes(exchange)).toBe(before)
    exchange.futures.hedged = false
    await trading.close()
  })
})

describe('a position on futures', () => {
  it('is opened, read and closed, with margin, fees and result to the cent', async () => {
    const { exchange, trading, price } = await isolated()
    const order = await trading.createOrder({ ...buy, clientOrderId: 'long' })
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
      margin: expect.closeTo(0.01 * price, 6),
      // Where a tenth of the value less the loss is 0.4 % of the value: 0.9 / 0.996 of the entry.
      liquidationPrice: expect.closeTo((price * 0.9) / (1 - MAINTENANCE), 6),
    })
    expect(await usdt(trading)).toMatchObject({
      total: expect.closeTo(10_000 - 0.1 * price * FEE, 6),
      used: expect.closeTo(0.1 * price * 0.1, 6),
    })
    expect(await trading.orderFills('BTCUSDT', order.id)).toMatchObject([
      { price, quantity: 0.1, fees: [{ asset: 'USDT', amount: expect.closeTo(0.1 * price * FEE, 8) }] },
    ])

    exchange.clock.advance(5 * MINUTE_MS)
    const later = exchange.data.last('BTCUSDT')!
    const closing = { ...sell, quantity: 0.3, reduceOnly: true, clientOrderId: 'flat' } as const
    // No more than there is: nothing is turned round.
    expect(await trading.createOrder(closing)).toMatchObject({ status: 'filled', filled: 0.1 })
    expect(await trading.positions()).toEqual([])
    const flat = await usdt(trading)
    expect(flat.total).toBeCloseTo(10_000 + 0.1 * (later - price) - 0.1 * (later + price) * FEE, 6)
    await expect(trading.createOrder({ ...closing, clientOrderId: 'more' })).rejects.toMatchObject({
      code: 'order_rejected',
    })
  })

  it('loses its margin and no more at liquidation, reported with its trades', async () => {
    const { exchange, trading, price, since } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'long' })
    const at = (price * 0.9) / (1 - MAINTENANCE)
    exchange.futures.marks.set('BTCUSDT', at + 0.01)
    exchange.futures.match('BTCUSDT', { low: 1, high: price })
    expect(await trading.forcedCloses('BTCUSDT', since)).toEqual([])
    exchange.futures.marks.set('BTCUSDT', at)
    exchange.futures.match('BTCUSDT', { low: price, high: price })
    expect(await trading.positions()).toEqual([])
    const [forced, ...more] = await trading.forcedCloses('BTCUSDT', since)
    expect(more).toEqual([])
    expect(forced).toMatchObject({ symbol: 'BTCUSDT', side: 'sell', quantity: 0.1, average: expect.closeTo(at, 6) })
    expect(await trading.orderFills('BTCUSDT', forced!.venueOrderId)).toMatchObject([{ quantity: 0.1 }])
    expect((await usdt(trading)).total).toBeCloseTo(10_000 - 0.1 * price * FEE - 0.01 * price, 6)
    // What was left of the margin is kept; the loss of the trade and its fee are told by the trade.
    expect(await trading.payments('BTCUSDT', since)).toMatchObject([
      {
        kind: 'liquidation',
        asset: 'USDT',
        amount: expect.closeTo(-(0.01 * price - 0.1 * (price - at) - 0.1 * at * FEE), 6),
      },
    ])
    expect(await trading.forcedCloses('BTCUSDT', since + 1)).toEqual([])
  })

  it('tells the mark price, and with it when that was', async () => {
    const { exchange, trading } = account
    exchange.futures.marks.set('BTCUSDT', 19_876.5)
    expect(await trading.markPrice('BTCUSDT')).toEqual({ price: 19_876.5, timestampMs: expect.any(Number) })
    await expect(trading.markPrice('NOSUCHUSDT')).rejects.toMatchObject({ code: 'unknown_symbol' })
  })

  it('has the price and the rules of its own market', async () => {
    const { trading, price } = await isolated()
    expect(await trading.ticker('BTCUSDT')).toMatchObject({ symbol: 'BTCUSDT', last: price })
    // On spot lots are 0.00001 BTC.
    expect((await trading.markets()).find(({ id }) => id === 'BTCUSDT')).toMatchObject({
      lotSize: 0.001,
      tickSize: 0.01,
      minNotional: 5,
    })
    await expect(trading.ticker('NOSUCHUSDT')).rejects.toMatchObject({ code: 'unknown_symbol' })
  })

  it('is liquidated above its entry when short', async () => {
    const { exchange, trading, price } = await isolated()
    exchange.clock.advance(1)
    const since = exchange.clock.now()
    await trading.createOrder({ ...sell, clientOrderId: 'short' })
    const at = (price * 1.1) / (1 + MAINTENANCE)
    expect(await trading.positions()).toMatchObject([{ side: 'short', liquidationPrice: expect.closeTo(at, 6) }])
    exchange.futures.match('BTCUSDT', { low: price, high: at + 0.01 })
    expect(await trading.forcedCloses('BTCUSDT', since)).toMatchObject([{ side: 'buy', quantity: 0.1 }])
  })

  it('pays funding or is paid, as is told by time', async () => {
    const { exchange, trading, price, since } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'long' })
    exchange.futures.fund('BTCUSDT', 0.0001)
    const between = exchange.clock.now() + 1
    exchange.clock.advance(MINUTE_MS)
    const later = exchange.data.last('BTCUSDT')!
    exchange.futures.fund('BTCUSDT', -0.0002)
    exchange.futures.fund('ETHUSDT', 0.01)
    const paid = await trading.payments('BTCUSDT', since)
    expect(paid).toMatchObject([
      { kind: 'funding', asset: 'USDT', symbol: 'BTCUSDT', amount: expect.closeTo(-0.0001 * 0.1 * price, 8) },
      { kind: 'funding', asset: 'USDT', symbol: 'BTCUSDT', amount: expect.closeTo(0.0002 * 0.1 * later, 8) },
    ])
    expect(new Set(paid.map(({ id }) => id)).size).toBe(2)
    expect(await trading.payments('BTCUSDT', between)).toEqual(paid.slice(1))
  })
})

describe('a stop on futures', () => {
  const stop = { ...sell, type: 'stop', reduceOnly: true, clientOrderId: 'stop' } as const

  it.each([
    ['stop', 'long', buy, sell, 0.97],
    ['stop', 'short', sell, buy, 1.03],
    ['take_profit', 'long', buy, sell, 1.03],
    ['take_profit', 'short', sell, buy, 0.97],
  ] as const)(
    '(%s) of a %s waits, closes at the market, and is one order to the end',
    async (type, _, open, close, share) => {
      const { exchange, trading, price, orders } = await isolated()
      expect([await trading.takesStops('BTCUSDT'), await trading.takesTarget('BTCUSDT', true)]).toEqual([true, true])
      await trading.createOrder({ ...open, clientOrderId: 'open' })
      const at = Math.floor(price * share)
      const request: OrderRequest = { ...stop, type, side: close.side, price: at }
      const placed = await trading.createOrder(request)
      expect(placed).toMatchObject({ clientOrderId: 'stop', status: 'open', filled: 0, quantity: 0.1 })
      expect(await trading.openOrders('BTCUSDT')).toMatchObject([{ id: placed.id, clientOrderId: 'stop' }])
      expect(await trading.findOrder('BTCUSDT', 'stop')).toEqual(placed)
      expect(await trading.orderFills('BTCUSDT', placed.id)).toEqual([])
      exchange.futures.match('BTCUSDT', { low: at - 7, high: at + 7 })
      for (const found of [
        await trading.findOrder('BTCUSDT', 'stop'),
        await trading.findOrder('BTCUSDT', 'stop', placed.id),
      ])
        expect(found).toMatchObject({
          id: placed.id,
          clientOrderId: 'stop',
          status: 'filled',
          filled: 0.1,
          average: at,
        })
      expect(await trading.orderFills('BTCUSDT', placed.id)).toMatchObject([
        { price: at, quantity: 0.1, fees: [{ asset: 'USDT', amount: expect.closeTo(0.1 * at * FEE, 8) }] },
      ])
      expect(await trading.positions()).toEqual([])
      expect([orders().length, await trading.openOrders('BTCUSDT')]).toEqual([2, []])
    },
  )

  it('is cancelled by our id, once', async () => {
    const { trading, price } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'open' })
    await trading.createOrder({ ...stop, price: Math.floor(price * 0.97) })
    expect(await trading.cancelOrder('BTCUSDT', 'stop')).toMatchObject({ clientOrderId: 'stop', status: 'canceled' })
    expect(await trading.findOrder('BTCUSDT', 'stop')).toMatchObject({ status: 'canceled', filled: 0 })
    await expect(trading.cancelOrder('BTCUSDT', 'stop')).rejects.toMatchObject({ code: 'not_found' })
    expect(await trading.findOrder('BTCUSDT', 'never')).toBeNull()
  })

  it('is in doubt when its reply is lost, and found', async () => {
    const { exchange, trading, price } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'open' })
    exchange.faults.rest({ at: /POST .*algoOrder/, fault: { kind: 'lose-reply' } })
    const request = { ...stop, price: Math.floor(price * 0.97) }
    await expect(trading.createOrder(request)).rejects.toMatchObject({ code: 'order_ambiguous' })
    expect(await trading.findOrder('BTCUSDT', 'stop')).toMatchObject({ clientOrderId: 'stop', status: 'open' })
    exchange.faults.rest({ at: /GET .*algoOrder/, fault: { kind: 'status', status: 503 } })
    await expect(trading.findOrder('BTCUSDT', 'stop')).rejects.toMatchObject({ code: 'venue_unreachable' })
    expect(exchange.futures.stops.open()).toHaveLength(1)
  })

  it('beside a take profit closes no more than there is, whichever of them comes first', async () => {
    const { exchange, trading, price } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'open' })
    const [low, high] = [Math.floor(price * 0.97), Math.ceil(price * 1.03)]
    await trading.createOrder({ ...stop, price: low })
    await trading.createOrder({ ...stop, type: 'take_profit', clientOrderId: 'target', price: high })
    exchange.futures.match('BTCUSDT', { low: low - 1, high: high + 1 })
    expect(await trading.findOrder('BTCUSDT', 'stop')).toMatchObject({ status: 'filled', filled: 0.1 })
    expect(await trading.findOrder('BTCUSDT', 'target')).toMatchObject({ status: 'rejected', filled: 0 })
    expect(await trading.positions()).toEqual([])
  })

  it('is open once triggered and not yet filled', async () => {
    const { exchange, trading, price } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'open' })
    const { id } = await trading.createOrder({ ...stop, price: Math.floor(price * 0.97) })
    const said = { algoId: Number(id.slice(5)), clientAlgoId: 'stop', symbol: 'BTCUSDT', side: 'SELL', quantity: '0.1' }
    for (const algoStatus of ['TRIGGERING', 'TRIGGERED', 'FINISHED']) {
      const body = JSON.stringify({ ...said, algoStatus, actualOrderId: '', positionSide: 'BOTH' })
      exchange.faults.rest({ at: /GET .*algoOrder/, fault: { kind: 'status', status: 200, body } })
      expect(await trading.findOrder('BTCUSDT', 'stop', id)).toMatchObject({ status: 'open', filled: 0 })
    }
  })

  it('is refused where its price is passed already, and not sent where it could do more than close', async () => {
    const { exchange, trading, price } = await isolated()
    await trading.createOrder({ ...buy, clientOrderId: 'open' })
    const target = { ...stop, type: 'take_profit' } as const
    for (const passed of [
      { ...stop, price: Math.ceil(price + 1) },
      { ...target, price: Math.floor(price - 1) },
    ])
      await expect(trading.createOrder(passed)).rejects.toMatchObject({ code: 'order_rejected' })
    const before = changes(exchange)
    for (const loose of [
      { reduceOnly: false },
      { price: undefined },
      { type: 'take_profit', reduceOnly: false },
    ] as const)
      await expect(trading.createOrder({ ...stop, price: Math.floor(price * 0.97), ...loose })).rejects.toMatchObject({
        code: 'order_rejected',
        message: expect.stringContaining('Nothing was sent'),
      })
    expect(changes(exchange)).toBe(before)
  })
})

describe('orders on futures', () => {
  it('are refused above the margin and with too small a value', async () => {
    const { exchange } = account
    const trading = await atTheRealAddress(exchange)
    const asked = (quantity: number) => trading.createOrder({ ...buy, quantity, clientOrderId: `q${quantity}` })
    await expect(asked(500)).rejects.toMatchObject({ code: 'insufficient_funds' })
    await expect(
      trading.createOrder({ ...buy, type: 'limit', quantity: 0.001, price: 100, clientOrderId: 'small' }),
    ).rejects.toMatchObject({ code: 'order_rejected' })
    await trading.close()
  })

  it('are in doubt when their reply is lost, and found by their id', async () => {
    const { exchange, trading, orders } = await isolated()
    exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'lose-reply' } })
    await expect(trading.createOrder({ ...buy, clientOrderId: 'lost' })).rejects.toMatchObject({
      code: 'order_ambiguous',
    })
    expect(await trading.findOrder('BTCUSDT', 'lost')).toMatchObject({ clientOrderId: 'lost', status: 'filled' })
    expect(orders()).toHaveLength(1)
    expect(await trading.positions()).toMatchObject([{ quantity: 0.1, side: 'long' }])
  })

  it('wait, are listed and cancelled', async () => {
    const { trading, price } = account
    const limit = { ...buy, type: 'limit', price: Math.floor(price - 500), clientOrderId: 'wait' } as const
    await trading.createOrder(limit)
    expect((await trading.openOrders('BTCUSDT')).map((o) => [o.clientOrderId, o.status])).toEqual([['wait', 'open']])
    await trading.cancelOrder('BTCUSDT', 'wait')
    expect(await trading.openOrders('BTCUSDT')).toEqual([])
  })
})
