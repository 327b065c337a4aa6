import { EXCHANGES, exchangeOf } from '@shapecast/contracts/exchanges'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAccount, openSpotAccount } from '../testing/open-local-account.ts'
import { MINUTE_MS, until } from '../testing/open-local-venue.ts'
import { openTrading } from './ccxt-trading.ts'
import { clientOrderId } from './client-order-id.ts'

afterEach(() => closeAccount())

const buy = { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: 0.01 } as const
/** The request that makes an order. */
const TAKING = /POST .*order(\/create)?$/

/** What holds at every exchange that takes real orders. */
describe.each(['binance', 'bybit'] as const)('orders on spot at %s', (id) => {
  const open = (options: Parameters<typeof openSpotAccount>[1] = {}) => openSpotAccount(id, options)

  it('fill at the price, move the balances and pay the fee', async () => {
    const { trading, price } = await open()
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
    expect(await trading.accountId()).toMatch(/^\d+$/)
    expect(await trading.findOrder('BTCUSDT', 'first')).toMatchObject({ id: order.id, status: 'filled', filled: 0.01 })
    expect(await trading.findOrder('BTCUSDT', 'other')).toBeNull()
  })

  it('lock money at a limit, wait, are cancelled, or fill once the price is there', async () => {
    const { exchange, trading, price } = await open()
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
    const { exchange, trading, price } = await open()
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

  it('lock the coins of a take profit, wait, and sell at the market once the price has risen', async () => {
    const { exchange, trading, price } = await open()
    expect(await trading.takesTarget('BTCUSDT', false)).toBe(true)
    const target = { ...buy, side: 'sell', type: 'take_profit', price: Math.ceil(price * 1.03) } as const
    const placed = await trading.createOrder({ ...target, clientOrderId: 'target' })
    expect(placed).toMatchObject({ clientOrderId: 'target', status: 'open', filled: 0 })
    expect((await trading.balances()).find((b) => b.asset === 'BTC')).toMatchObject({ used: 0.01, total: 1 })
    exchange.spot.book.match('BTCUSDT', { low: price, high: target.price - 0.01 })
    expect(await trading.findOrder('BTCUSDT', 'target')).toMatchObject({ status: 'open' })
    exchange.spot.book.match('BTCUSDT', { low: target.price + 5, high: target.price + 20 })
    expect(await trading.findOrder('BTCUSDT', 'target')).toMatchObject({
      status: 'filled',
      filled: 0.01,
      average: target.price + 5,
    })
    await trading.createOrder({ ...target, clientOrderId: 'target-2' })
    expect(await trading.cancelOrder('BTCUSDT', 'target-2')).toMatchObject({ status: 'canceled', filled: 0 })
    for (const wrong of [{ price: Math.floor(price - 1) }, { side: 'buy' }] as const)
      await expect(trading.createOrder({ ...target, ...wrong, clientOrderId: 'wrong' })).rejects.toMatchObject({
        code: 'order_rejected',
      })
  })

  it('lock the coins of a stop-loss, wait, and sell at the market once the price has fallen', async () => {
    const { exchange, trading, price } = await open()
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
    const { exchange, trading, price } = await open()
    exchange.faults.partialFills.push(0.4)
    const above = { ...buy, type: 'limit', price: Math.ceil(price + 10), clientOrderId: 'part' } as const
    const part = await trading.createOrder(above)
    expect(part).toMatchObject({ status: 'open', quantity: 0.01 })
    expect(part.filled).toBeCloseTo(0.004, 9)
    exchange.spot.book.fillRest(exchange.spot.book.find('BTCUSDT', { clientOrderId: 'part' }))
    expect(await trading.findOrder('BTCUSDT', 'part')).toMatchObject({ status: 'filled', filled: 0.01 })
  })

  it('rest as post-only, fill in part and whole for the fee of a maker, and never take', async () => {
    const { exchange, trading, price, orders } = await open()
    const { book } = exchange.spot
    exchange.spot.makerFee = 0.0002
    const rests = { ...buy, type: 'limit', postOnly: true, price: price - 10 } as const
    const { id: venueId } = await trading.createOrder({ ...rests, clientOrderId: 'rests' })
    const rested = book.find('BTCUSDT', { clientOrderId: 'rests' })
    book.match('BTCUSDT', { low: price - 9.99, high: price })
    book.fillRest(rested, 0.004)
    expect(await trading.findOrder('BTCUSDT', 'rests')).toMatchObject({ status: 'open', filled: 0.004 })
    book.match('BTCUSDT', { low: price - 10.01, high: price })
    expect(await trading.findOrder('BTCUSDT', 'rests')).toMatchObject({ status: 'filled', average: price - 10 })
    const fees = (await trading.orderFills('BTCUSDT', venueId)).flatMap((fill) => fill.fees)
    expect(fees.map(({ amount }) => Number(amount.toFixed(8)))).toEqual([0.0000008, 0.0000012])

    for (const [side, at] of [
      ['buy', price],
      ['sell', price - 1],
    ] as const) {
      const crosses = trading.createOrder({ ...rests, side, price: at, clientOrderId: `crosses-${side}` })
      if (id === 'binance') await expect(crosses).rejects.toMatchObject({ code: 'order_rejected' })
      else expect(await crosses).toMatchObject({ status: 'canceled', filled: 0 })
    }
    expect(orders().filter(({ filled }) => filled > 0)).toEqual([rested])
  })

  it.each(['lose-reply', 'unknown-outcome'] as const)(
    'whose answer is lost (%s) are in doubt, and found by their id',
    async (kind) => {
      const { exchange, trading, orders } = await open()
      await trading.balances()
      exchange.faults.rest({ at: TAKING, fault: { kind } })
      const id = clientOrderId('bot 7', 1_700_000_000_000, 'open')
      await expect(trading.createOrder({ ...buy, clientOrderId: id })).rejects.toMatchObject({
        code: 'order_ambiguous',
      })
      expect(await trading.findOrder('BTCUSDT', id)).toMatchObject({ clientOrderId: id, status: 'filled' })
      expect(orders()).toHaveLength(1)
    },
  )

  it('are in doubt when they were never accepted, and not found', async () => {
    const { exchange, trading, orders } = await open()
    await trading.balances()
    exchange.faults.rest({ at: TAKING, fault: { kind: 'status', status: 504 } })
    const request = { ...buy, clientOrderId: 'never' }
    await expect(trading.createOrder(request)).rejects.toMatchObject({ code: 'order_ambiguous' })
    expect(await trading.findOrder('BTCUSDT', 'never')).toBeNull()
    expect(orders()).toEqual([])
  })

  it('are found after a time-out once the venue has processed them', async () => {
    const { exchange, trading, orders } = await open({ timeoutMs: 3_000 })
    await trading.balances()
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    exchange.faults.rest({ at: TAKING, fault: { kind: 'held', until: () => held } })
    await expect(trading.createOrder({ ...buy, clientOrderId: 'slow' })).rejects.toMatchObject({
      code: 'order_ambiguous',
    })
    expect(await trading.findOrder('BTCUSDT', 'slow')).toBeNull()
    goOn()
    await until(() => orders().length === 1, 'the order')
    expect(await trading.findOrder('BTCUSDT', 'slow')).toMatchObject({ clientOrderId: 'slow', status: 'filled' })
  })

  it('are refused by the venue where they were held up for longer than it takes them, and go through before that', async () => {
    const { trading, orders } = await open()
    await expect(
      trading.createOrder({ ...buy, clientOrderId: 'old', ageMs: exchangeOf(id)!.signedForMs + 500 }),
    ).rejects.toMatchObject({
      code: 'venue_auth_failed',
      message: expect.stringMatching(/-1021|10002/),
    })
    expect(orders()).toEqual([])
    expect(await trading.createOrder({ ...buy, clientOrderId: 'young', ageMs: 4_000 })).toMatchObject({ filled: 0.01 })
  })

  it('are refused with a reason of ours', async () => {
    const { trading, price } = await open()
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
  })

  it.each([429, 418] as const)(
    'are not taken where too many were sent (%i), and nothing is sent for a while',
    async (status) => {
      const { exchange, trading, orders } = await open()
      await trading.balances()
      exchange.faults.rest({ at: TAKING, fault: { kind: 'limited', status, retryAfterS: 30 } })
      const limited = { code: 'venue_rate_limited', retryAfterS: 30 }
      await expect(trading.createOrder({ ...buy, clientOrderId: 'x' })).rejects.toMatchObject(limited)
      const before = exchange.requests.length
      await expect(trading.findOrder('BTCUSDT', 'x')).rejects.toMatchObject({ code: 'venue_rate_limited' })
      expect([exchange.requests.length, orders()]).toEqual([before, []])
    },
  )

  it('are refused where key or secret are wrong', async () => {
    const { exchange } = await open()
    const { apiKey, secret } = exchange.credentials
    for (const keys of [
      { apiKey: 'nobody', secret },
      { apiKey, secret: 'wrong' },
    ]) {
      const other = await openTrading(id, { keys, urls: exchange.urls })
      await expect(other.balances()).rejects.toMatchObject({ code: 'venue_auth_failed' })
      await expect(other.createOrder({ ...buy, clientOrderId: 'y' })).rejects.toMatchObject({
        code: 'venue_auth_failed',
      })
      await other.close()
    }
  })

  it('go through though the clocks drift apart', async () => {
    const { exchange, trading } = await open()
    await trading.balances()
    for (const skewMs of [60_000, -60_000]) {
      exchange.skewMs = skewMs
      const order = await trading.createOrder({ ...buy, clientOrderId: `skew${skewMs}` })
      expect(order.status).toBe('filled')
    }
  })
})

it('every exchange that takes real orders on spot is tried here', () => {
  // Each has a local server here that speaks its protocol, with the same faults.
  expect(EXCHANGES.filter(({ spot }) => spot !== null).map(({ id }) => id)).toEqual(['binance', 'bybit'])
})
