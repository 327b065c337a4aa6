import { randomUUID } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { describe, expect, it } from 'vitest'
import { GIVE_UP_AFTER_MS } from '../src/exchange/order-progress.ts'
import { admin, bench, fault, keys, later, list, openRealScene, order, price, sent } from './support/real-scene.ts'

openRealScene()

describe('a real stop-loss', () => {
  const trade = (over: object = {}, key?: string) =>
    bench.ask('POST', '/api/ml/auto-trade', { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, ...over }, admin, key)
  const low = () => Math.floor(price() * 0.97)
  /** On the way to the exchange a stop-loss is rounded down to the price step of 0.01. */
  const buying = () => {
    bench.said = { signal: 'BUY', stopLoss: low() + 0.004 }
  }
  const stops = () => sent().filter((o) => o.type === 'STOP_LOSS')
  const open = () => stops().filter((o) => o.status === 'NEW')
  const purchase = async () =>
    (await list()).findLast((o: { side: string; isVirtual: boolean }) => o.side === 'buy' && !o.isVirtual)
  const reject = '{"code":-1013,"msg":"Filter failure: PERCENT_PRICE_BY_SIDE"}'

  it('stands at the exchange right after the purchase, over what the fee left of it', async () => {
    buying()
    const { body } = await trade({}, 'guarded')
    expect(body).toMatchObject({
      action: 'bought',
      order: { status: 'filled', filled: 0.01, statusReason: null },
      stopOrder: { type: 'stop', status: 'open', side: 'sell', amount: 0.00999, stopPrice: low(), price: null },
    })
    expect(body.decision).toContain(`with a stop-loss at ${low()}`)
    expect(open()).toMatchObject([{ side: 'SELL', qty: 0.00999, stopPrice: low() }])
    expect((await trade({}, 'guarded')).body.stopOrder.id).toBe(body.stopOrder.id)
    for (let i = 0; i < 5; i++) await later(60_000)
    expect(sent()).toHaveLength(2)
    const positions = (await bench.ask('GET', '/api/positions?isVirtual=false', undefined, admin)).body
    expect(positions[0]).toMatchObject({ stopLoss: low() })
  })

  it('sells what it guards when the price has fallen, and nothing is placed after it', async () => {
    buying()
    const { body } = await trade()
    bench.exchange.spot.book.match('BTCUSDT', { low: low() - 10, high: price() })
    for (let i = 0; i < 5; i++) await later(60_000)
    const stop = (await list()).find((o: { id: string }) => o.id === body.stopOrder.id)
    expect(stop).toMatchObject({ status: 'filled', filled: 0.00999, average: low() })
    expect((await purchase()).statusReason).toBeNull()
    expect(sent()).toHaveLength(2)
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
  })

  it('covers all that was bought where the fee was taken in BNB', async () => {
    bench.exchange.spot.balances.set('BNB', 10)
    bench.exchange.spot.feesIn = { asset: 'BNB', price: 600 }
    buying()
    expect((await trade()).body.stopOrder).toMatchObject({ status: 'open', amount: 0.01 })
    expect(open()).toMatchObject([{ qty: 0.01 }])
  })

  it('sells what was bought at once when the price passed the stop-loss before it was placed', async () => {
    const { exchange } = bench
    bench.said = { signal: 'BUY', stopLoss: price() - 0.5 }
    let times = 0
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: (request) => {
        if (request.type === 'stop' && times++ === 0) {
          const passed = price() - 0.5
          for (let i = 0; i < 500 && price() >= passed; i++) exchange.clock.advance(60_000)
        }
        return trading.createOrder(request)
      },
    })
    await keys()
    const { body } = await trade({}, 'gap')
    expect(body.order.statusReason).toContain('DOES NOT STAND')
    for (let i = 0; i < 4; i++) await later(30_000)
    expect(sent().map((o) => [o.type, o.side, o.qty, o.status])).toEqual([
      ['MARKET', 'BUY', 0.01, 'FILLED'],
      ['MARKET', 'SELL', 0.00999, 'FILLED'],
    ])
    expect((await trade({}, 'gap')).body).toMatchObject({
      decision: expect.stringContaining('which the stop-loss has sold at'),
      stopOrder: { type: 'market', side: 'sell', status: 'filled' },
    })
    expect((await purchase()).statusReason).toBeNull()
    expect(exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
  })

  it('sells nothing twice when the stop-loss fires while a SELL cancels it', async () => {
    buying()
    await trade()
    bench.between.wrap = (trading) => ({
      ...trading,
      cancelOrder: (...of) => {
        bench.exchange.spot.book.match('BTCUSDT', { low: low() - 10, high: price() })
        return trading.cancelOrder(...of)
      },
    })
    await keys()
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({ action: 'none', order: null })
    for (let i = 0; i < 5; i++) await later(60_000)
    expect(sent()).toHaveLength(2)
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
  })

  it('neither shows as placed nor places again a stop-loss that cannot be seen any more', async () => {
    buying()
    await trade()
    fault(/GET .*order/, { kind: 'status', status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' }, 1_000)
    for (let i = 0; i < 3; i++) await later(60_000)
    expect((await purchase()).statusReason).toContain('not certain that the stop-loss stands')
    bench.exchange.faults.clear()
    for (let i = 0; i < 2; i++) await later(60_000)
    expect((await purchase()).statusReason).toBeNull()
    expect(sent()).toHaveLength(2)
  })

  it('is cancelled and sold under another key of the same account', async () => {
    buying()
    await trade()
    bench.exchange.rotateKey()
    expect(await keys()).toMatchObject({ status: 200 })
    for (let i = 0; i < 2; i++) await later(60_000)
    expect((await purchase()).statusReason).toBeNull()
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({ action: 'sold', order: { filled: 0.00999 } })
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
  })

  it('stands under the key of another account as it did, without an alarm', async () => {
    buying()
    await trade()
    for (const table of ['orders', 'positions'])
      await bench.db.pool.query(`update trading.${table} set key_mark = 'of the key before'`)
    for (let i = 0; i < 3; i++) await later(60_000)
    expect((await purchase()).statusReason).toBeNull()
    // What the other account has bought is not sold here, though there is as much of it.
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({ action: 'none', order: null })
    expect(open()).toHaveLength(1)
    expect(sent()).toHaveLength(2)
  })

  it('gives way to a SELL, which sells all that was bought, and does not come back', async () => {
    buying()
    await trade()
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({ action: 'sold', order: { filled: 0.00999 } })
    for (let i = 0; i < 5; i++) await later(120_000)
    expect(stops()).toMatchObject([{ status: 'CANCELED' }])
    expect(sent()).toHaveLength(3)
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
  })

  it('comes back where the sale that it gave way to was refused', async () => {
    buying()
    await trade()
    bench.said = { signal: 'SELL' }
    fault(/POST .*order/, { kind: 'status', status: 400, body: reject })
    expect((await trade()).status).toBe(422)
    expect(open()).toMatchObject([{ qty: 0.00999, stopPrice: low() }])
    for (let i = 0; i < 5; i++) await later(120_000)
    expect(open()).toHaveLength(1)
    expect(stops()).toHaveLength(2)
  })

  it('waits for a sale that it is not known of, and comes back where that never arrived', async () => {
    buying()
    await trade()
    bench.said = { signal: 'SELL' }
    fault(/POST .*order/, { kind: 'drop' })
    expect((await trade()).body.order.status).toBe('sending')
    await later(10_000)
    expect(open()).toEqual([])
    await later(GIVE_UP_AFTER_MS)
    for (let i = 0; i < 3; i++) await later(10_000)
    expect(open()).toMatchObject([{ qty: 0.00999 }])
    expect(sent()).toHaveLength(3)
  })

  it('does not sell coins whose stop-loss cannot be cancelled', async () => {
    buying()
    await trade()
    bench.said = { signal: 'SELL' }
    fault(/DELETE .*order/, { kind: 'drop' })
    const reply = await trade()
    expect([reply.status, reply.body.code]).toEqual([503, 'order_ambiguous'])
    expect(open()).toHaveLength(1)
    expect(sent()).toHaveLength(2)
    bench.clock.aheadMs += 70_000
    expect((await trade()).body).toMatchObject({ action: 'sold' })
  })

  it('is reported loudly when refused, and placed as soon as the exchange accepts it', async () => {
    buying()
    let times = 0
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: (request) => {
        if (request.type === 'stop' && times++ < 2) fault(/POST .*order/, { kind: 'status', status: 400, body: reject })
        return trading.createOrder(request)
      },
    })
    // Opened again, through what stands between.
    await keys()
    const { body } = await trade()
    expect(body.order.status).toBe('filled')
    expect(body.decision).toContain('DOES NOT STAND')
    expect((await purchase()).statusReason).toContain('PERCENT_PRICE_BY_SIDE')
    await later(30_000)
    expect(open()).toEqual([])
    await later(60_000)
    expect(open()).toHaveLength(1)
    await later(10_000)
    expect((await purchase()).statusReason).toBeNull()
    expect(sent()).toHaveLength(2)
  })

  it.each([
    ['found where its reply was lost', { kind: 'lose-reply' }],
    ['placed again where it never arrived', { kind: 'drop' }],
  ] as const)('is %s, and stands once', async (_, kind) => {
    buying()
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: (request) => {
        if (request.type === 'stop' && sent().length === 1 && bench.clock.aheadMs === 0) fault(/POST .*order/, kind)
        return trading.createOrder(request)
      },
    })
    await keys()
    const { body } = await trade()
    expect(body.decision).toContain('DOES NOT STAND')
    for (let i = 0; i < 8; i++) await later(30_000)
    expect(open()).toHaveLength(1)
    expect(sent()).toHaveLength(2)
    expect((await purchase()).statusReason).toBeNull()
  })

  it('is placed by a worker where the process died after the purchase', async () => {
    buying()
    fault(/POST .*order/, { kind: 'lose-reply' })
    expect((await trade()).body.order.status).toBe('sending')
    expect(stops()).toEqual([])
    for (let i = 0; i < 4; i++) await later(15_000)
    expect(open()).toMatchObject([{ qty: 0.00999, stopPrice: low() }])
    expect(sent()).toHaveLength(2)
  })

  it('does not place a stop-loss again that its owner cancelled', async () => {
    buying()
    const { body } = await trade()
    const cancelled = await bench.ask('DELETE', `/api/orders/${body.stopOrder.id}`, undefined, admin)
    expect(cancelled.body).toMatchObject({ status: 'cancelled' })
    for (let i = 0; i < 5; i++) await later(60_000)
    expect((await purchase()).statusReason).toContain('cancelled by you')
    expect(sent()).toHaveLength(2)
  })

  it('refuses to cancel a stop-loss in doubt, and goes on guarding', async () => {
    buying()
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: (request) => {
        if (request.type === 'stop' && bench.clock.aheadMs === 0) fault(/POST .*order/, { kind: 'drop' })
        return trading.createOrder(request)
      },
    })
    await keys()
    const { body } = await trade()
    expect((await bench.ask('DELETE', `/api/orders/${body.stopOrder.id}`, undefined, admin)).status).toBe(409)
    for (let i = 0; i < 8; i++) await later(30_000)
    expect(open()).toHaveLength(1)
    expect(sent()).toHaveLength(2)
  })

  it('is given up where its coins have left the exchange', async () => {
    buying()
    fault(/POST .*order/, { kind: 'lose-reply' })
    await trade()
    bench.exchange.spot.balances.set('BTC', 0)
    await later(20_000)
    for (let i = 0; i < 2; i++) await later(10_000)
    // What an account is said to have may lag behind its trades: a minute long that is no answer.
    expect((await purchase()).statusReason).toMatch(/DOES NOT STAND: Its coins are not at the exchange any more/)
    for (let i = 0; i < 4; i++) await later(15_000)
    expect((await purchase()).statusReason).toBe('Its coins are not at the exchange any more: there is no stop-loss.')
    bench.exchange.spot.balances.set('BTC', 1)
    for (let i = 0; i < 2; i++) await later(60_000)
    expect(sent()).toHaveLength(1)
  })

  it('stands though the account is said to be empty at first', async () => {
    buying()
    const { exchange, between } = bench
    let empty = 2
    between.wrap = (trading) => ({ ...trading, balances: async () => (empty-- > 0 ? [] : trading.balances()) })
    await keys()
    expect((await trade()).body.decision).toContain('DOES NOT STAND')
    for (let i = 0; i < 2; i++) await later(10_000)
    expect(open()).toMatchObject([{ qty: 0.00999, stopPrice: low() }])
    await later(10_000)
    expect((await purchase()).statusReason).toBeNull()
    expect(exchange.spot.balances.get('BTC')).toBeCloseTo(1.00999, 9)
  })

  it('over a part only, for another order has the rest, says so', async () => {
    const { book } = bench.exchange.spot
    const at = { symbol: 'BTCUSDT', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', stopPrice: 0 } as const
    book.place({ ...at, price: 1e6, qty: 1, clientOrderId: randomUUID(), reduceOnly: false }, price())
    buying()
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: async (request) => {
        const made = await trading.createOrder(request)
        const taken = { ...at, price: 1e6, qty: 0.004, clientOrderId: randomUUID(), reduceOnly: false }
        if (request.side === 'buy') book.place(taken, price())
        return made
      },
    })
    await keys()
    const words = 'THE STOP-LOSS COVERS 0.00599 BTC ONLY: 0.004 were not free when it was placed.'
    const { body } = await trade()
    expect(body).toMatchObject({ stopOrder: { status: 'open', amount: 0.00599 }, order: { statusReason: words } })
    expect(body.decision).toContain(words.slice(0, -1))
    for (let i = 0; i < 3; i++) await later(10_000)
    expect((await purchase()).statusReason).toBe(words)
    expect(open()).toHaveLength(1)
  })

  it('is guarded once by workers that look at the same time', async () => {
    buying()
    fault(/POST .*order/, { kind: 'lose-reply' })
    await trade()
    const another = bench.roomWith({})
    await later(1)
    bench.clock.aheadMs += 20_000
    await Promise.all([bench.room.reconcileOrders(), another.reconcileOrders(), bench.room.reconcileOrders()])
    await another.close()
    expect(open()).toHaveLength(1)
    expect(sent()).toHaveLength(2)
  })

  it('stands over what was bought though more coins of other origin were sold before, or are on sale', async () => {
    expect((await order({ side: 'sell', amount: 0.02 })).body.status).toBe('filled')
    const sale = { side: 'sell', type: 'limit', amount: 0.03, price: Math.floor(price() + 1_000) }
    expect((await order(sale)).body.status).toBe('open')
    buying()
    expect((await trade()).body.stopOrder).toMatchObject({ status: 'open', amount: 0.00999 })
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({ action: 'sold', order: { filled: 0.00999 } })
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(0.98, 9)
    // A SELL cancels stops only.
    expect(bench.exchange.spot.book.open()).toMatchObject([{ type: 'LIMIT', side: 'SELL', qty: 0.03 }])
  })

  it('stands where the trades of the purchase are told late, and the exchange says meanwhile that it knows none', async () => {
    buying()
    fault(/GET .*myTrades/, { kind: 'status', status: 503 })
    expect((await trade()).body.decision).toContain('what it has to guard is not known yet')
    fault(/GET .*order/, { kind: 'status', status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' })
    for (let i = 0; i < 4; i++) await later(10_000)
    expect(open()).toMatchObject([{ qty: 0.00999, stopPrice: low() }])
    expect((await purchase()).statusReason).toBeNull()
  })

  it('is missed loudly where what a sale has left is worth too little for one', async () => {
    buying()
    await trade()
    bench.said = { signal: 'SELL' }
    bench.exchange.faults.partialFills.push(0.98)
    // 0.00999 × 0.98 are sold, 0.0001998 are left: worth less than 5 USDT.
    expect((await trade()).body.order).toMatchObject({ status: 'expired', filled: 0.0097902 })
    for (let i = 0; i < 3; i++) await later(10_000)
    expect((await purchase()).statusReason).toContain('0.00019 BTC are too little')
    const looks = () => bench.exchange.requests.filter(({ name }) => name === 'GET /api/v3/account').length
    const before = looks()
    for (let i = 0; i < 12; i++) await later(10_000)
    expect(looks() - before).toBe(2)
    expect((await trade({}, 'rest')).body).toMatchObject({
      action: 'none',
      decision: expect.stringContaining('too little to sell'),
    })
    expect(sent()).toHaveLength(3)
  })

  it('is not placed again by a worker while the sale that it gave way to is under way', async () => {
    buying()
    await trade()
    let times = 0
    bench.between.wrap = (trading) => ({
      ...trading,
      balances: async () => {
        if (times++ === 0) await later(10_000)
        return trading.balances()
      },
    })
    await keys()
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({ action: 'sold', order: { filled: 0.00999 } })
    expect(times).toBeGreaterThan(0)
    expect(stops()).toHaveLength(1)
  })

  it('is tried again after 10 s, 20 s and then every 40 s, as long as the exchange refuses it', async () => {
    buying()
    let tries = 0
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: (request) => {
        if (request.type !== 'stop') return trading.createOrder(request)
        tries++
        return Promise.reject(new AppError('order_rejected', 'No.'))
      },
    })
    await keys()
    await trade()
    // At 0, 10, 30, 70 and 110 s; next at 150 s.
    for (let i = 0; i < 28; i++) await later(5_000)
    expect(tries).toBe(5)
  })

  it('is reported where it is missing and cannot be watched, and only there', async () => {
    buying()
    await trade()
    await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)
    for (let i = 0; i < 2; i++) await later(60_000)
    expect((await purchase()).statusReason).toBeNull()
    const { book } = bench.exchange.spot
    const [stop] = open()
    await keys()
    book.cancel(stop!)
    fault(/GET .*account/, { kind: 'status', status: 503 }, 1_000)
    for (let i = 0; i < 2; i++) await later(60_000)
    expect((await purchase()).statusReason).toMatch(/DOES NOT STAND: binance does not answer/)
    bench.exchange.faults.clear()
    for (let i = 0; i < 2; i++) await later(60_000)
    expect((await purchase()).statusReason).toBeNull()
    expect(open()).toHaveLength(1)
  })

  it('waits loudly while another order at the exchange has its coins', async () => {
    buying()
    fault(/POST .*order/, { kind: 'lose-reply' })
    await trade()
    const { book } = bench.exchange.spot
    const of = {
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'LIMIT',
      timeInForce: 'GTC',
      stopPrice: 0,
      reduceOnly: false,
    } as const
    const other = book.place({ ...of, price: 1e6, qty: 1.00999, clientOrderId: randomUUID() }, price())
    for (let i = 0; i < 3; i++) await later(15_000)
    expect((await purchase()).statusReason).toContain('another order at the exchange has its coins')
    bench.said = { signal: 'SELL' }
    expect((await trade()).body).toMatchObject({
      action: 'none',
      decision: expect.stringContaining('all of your BTC are set aside by open orders'),
    })
    book.cancel(other)
    for (let i = 0; i < 2; i++) await later(10_000)
    expect((await purchase()).statusReason).toBeNull()
    expect(open()).toMatchObject([{ qty: 0.00999 }])
  })

  it('keeps its coins apart from others that their owner sells meanwhile', async () => {
    buying()
    await trade()
    expect((await order({ side: 'sell', amount: 0.5 })).body.status).toBe('filled')
    bench.said = { signal: 'SELL' }
    fault(/POST .*order/, { kind: 'status', status: 400, body: reject })
    expect((await trade({}, 'refused')).status).toBe(422)
    expect(open()).toMatchObject([{ qty: 0.00999 }])
    expect((await trade({}, 'again')).body).toMatchObject({ action: 'sold', order: { filled: 0.00999 } })
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(0.5, 9)
  })

  it('touches nothing else bought here once it has sold what it guarded', async () => {
    const { book } = bench.exchange.spot
    expect((await order({ amount: 0.03 })).body.status).toBe('filled')
    buying()
    await trade()
    book.match('BTCUSDT', { low: low() - 10, high: price() })
    expect((await order({ amount: 0.02 })).body.status).toBe('filled')
    for (let i = 0; i < 5; i++) await later(60_000)
    expect(sent().map((o) => [o.type, o.side, o.qty, o.status])).toEqual([
      ['MARKET', 'BUY', 0.03, 'FILLED'],
      ['MARKET', 'BUY', 0.01, 'FILLED'],
      ['STOP_LOSS', 'SELL', 0.00999, 'FILLED'],
      ['MARKET', 'BUY', 0.02, 'FILLED'],
    ])
  })

  it('does not pass from a sold purchase to a later one, though the sale was in doubt', async () => {
    buying()
    await trade()
    bench.said = { signal: 'SELL' }
    fault(/POST .*order/, { kind: 'lose-reply' })
    expect((await trade()).body.order.status).toBe('sending')
    expect((await order({ amount: 0.02 })).body.status).toBe('filled')
    for (let i = 0; i < 5; i++) await later(60_000)
    expect(open()).toEqual([])
    expect(sent().map((o) => [o.type, o.side, o.qty])).toEqual([
      ['MARKET', 'BUY', 0.01],
      ['STOP_LOSS', 'SELL', 0.00999],
      ['MARKET', 'SELL', 0.00999],
      ['MARKET', 'BUY', 0.02],
    ])
  })

  it('below or at which the price is already is no purchase', async () => {
    bench.said = { signal: 'BUY', stopLoss: Math.ceil(price() + 1) }
    expect((await trade()).body).toMatchObject({ action: 'none', order: null })
    bench.said = { signal: 'BUY', stopLoss: low() }
    const least = Math.ceil(5 / price() / 0.00001) * 0.00001
    expect((await trade({ amount: least })).body.action).toBe('none')
    expect(sent()).toEqual([])
  })
})
