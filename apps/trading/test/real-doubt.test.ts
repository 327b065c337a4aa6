import { AppError } from '@shapecast/contracts/errors'
import type { VenueOrder } from '@shapecast/venues/live-trading'
import { describe, expect, it } from 'vitest'
import { GIVE_UP_AFTER_MS } from '../src/exchange/order-progress.ts'
import {
  admin,
  bench,
  cancel,
  fault,
  keys,
  later,
  list,
  only,
  openRealScene,
  order,
  price,
  sent,
  waiting,
} from './support/real-scene.ts'

openRealScene()

describe('a real order', () => {
  it('is answered under its key as it is, without asking the exchange, auto-trades too', async () => {
    bench.said = { signal: 'BUY' }
    const trade = () =>
      bench.ask('POST', '/api/ml/auto-trade', { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false }, admin, 'b')
    const [one, two] = [(await order({}, 'a')).body, (await trade()).body]
    await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)
    expect((await order({}, 'a')).body).toEqual(one)
    expect((await trade()).body.order).toEqual(two.order)
    expect((await order({}, 'c')).status).toBe(422)
  })

  it('finds an order whose record was lost by its key, and does not send it again', async () => {
    const { body } = await order({}, 'kept')
    // As in a database of an older copy.
    const { pool } = bench.db
    await pool.query("update trading.orders set client_order_id = 'of another' where id = $1", [body.id])
    await pool.query(
      'alter table trading.keyed_replies disable trigger user; delete from trading.keyed_replies; alter table trading.keyed_replies enable trigger user',
    )
    const { id, createdAt, closedAt, ...same } = body
    const again = (await order({}, 'kept')).body
    expect(again).toMatchObject(same)
    expect(again.id).not.toBe(id)
    expect(sent()).toHaveLength(1)
  })

  it('is not asked about while the exchange takes no requests, but one market that is gone stops no other', async () => {
    const [gone, ended] = [await waiting(), await waiting()]
    const { book } = bench.exchange.spot
    book.cancel(book.find('BTCUSDT', { clientOrderId: ended.clientOrderId }))
    let asked = 0
    let says = new AppError('venue_rate_limited', 'Too many.')
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: (...of) => {
        asked++
        return says.code === 'venue_rate_limited' || of[1] === gone.clientOrderId
          ? Promise.reject(says)
          : trading.findOrder(...of)
      },
    })
    await keys()
    await later(20_000)
    expect(asked).toBe(1)
    expect((await list()).map((o: { statusReason: string }) => o.statusReason)).toEqual(
      Array(2).fill('Not followed now: Too many.'),
    )
    says = new AppError('unknown_symbol', 'Gone.')
    await later(20_000)
    const now = new Map((await list()).map((o: { id: string }) => [o.id, o]))
    expect(now.get(gone.id)).toMatchObject({ status: 'open', statusReason: 'Not followed now: Gone.' })
    expect(now.get(ended.id)).toMatchObject({ status: 'cancelled', statusReason: null })
  })

  it.each([
    ['has no news of it', (found: VenueOrder | null) => found],
    ['says that it does not know it', () => null],
    ['cannot be asked', () => Promise.reject(new AppError('venue_unreachable', 'Gone.'))],
  ])('that waits is looked up after 5 s, 10 s, and then every 20 s, where the exchange %s', async (_, said) => {
    await waiting()
    let asked = 0
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: async (...of) => {
        asked++
        return said(await trading.findOrder(...of))
      },
    })
    await keys()
    // After 5, 15, 35, 55 and 75 s.
    for (let i = 0; i < 18; i++) await later(5_000)
    expect(asked).toBe(5)
  })

  it('says nothing of what breaks in its look-up but what its owner can use', async () => {
    const { id } = await waiting()
    await order({ amount: 50 })
    const [refused] = (await list()).filter((o: { status: string }) => o.status === 'rejected')
    let says: Error = new TypeError('of ours')
    bench.between.wrap = (trading) => ({ ...trading, findOrder: () => Promise.reject(says) })
    await keys()
    await later(GIVE_UP_AFTER_MS)
    says = new AppError('unprocessable', 'No.')
    expect((await list()).find((o: { id: string }) => o.id === id).statusReason).toBeNull()
    await later(2 * GIVE_UP_AFTER_MS)
    expect((await list()).find((o: { id: string }) => o.id === id).statusReason).toBe('Not followed now: No.')
    expect((await list()).find((o: { id: string }) => o.id === refused.id).statusReason).toBe(refused.statusReason)
  })

  it('is not lost where the exchange is behind and says that it knows no such order', async () => {
    const behind = { kind: 'status', status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } as const
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    fault(/DELETE .*order/, { kind: 'status', status: 400, body: '{"code":-2011,"msg":"Unknown order sent."}' })
    fault(/GET .*order/, behind, 4)
    const refused = await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, admin)
    expect([refused.status, refused.body.code]).toEqual([503, 'order_ambiguous'])
    for (let i = 0; i < 3; i++) await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({
      status: 'open',
      statusReason: expect.stringContaining('does not know this order'),
    })
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'open', statusReason: null })
    expect((await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, admin)).body.status).toBe('cancelled')
  })

  it('is what one process finds, though another was told before that it does not exist', async () => {
    fault(/POST .*order/, { kind: 'lose-reply' })
    await order()
    const another = bench.roomWith({})
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: async () => {
        bench.between.wrap = (plain) => plain
        fault(/GET .*myTrades/, { kind: 'status', status: 503 })
        await another.reconcileOrders()
        return null
      },
    })
    await keys()
    await bench.room.reconcileOrders()
    await another.close()
    expect(await only()).toMatchObject({ status: 'filled', fees: [], statusReason: null })
    await keys()
    await later(10_000)
    expect(await only()).toMatchObject({ status: 'filled', fees: [{ asset: 'BTC', amount: 0.00001 }] })
  })

  it('is not sent at a price that became stale while its turn came', async () => {
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: (...of) => {
        bench.clock.aheadMs += 61_000
        return trading.findOrder(...of)
      },
    })
    await keys()
    const reply = await order({}, 'stale')
    expect([reply.status, reply.body.code]).toEqual([503, 'venue_unreachable'])
    bench.said = { signal: 'BUY' }
    const trade = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, enableStopLoss: false }
    expect((await bench.ask('POST', '/api/ml/auto-trade', trade, admin)).body.code).toBe('venue_unreachable')
    expect([await list(), sent()]).toEqual([[], []])
  })

  it('does not follow an order of a delisted market, says why, and follows it again once the market is back', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: () => Promise.reject(new AppError('unknown_symbol', 'binance has no spot market BTCUSDT.')),
    })
    await keys()
    for (let i = 0; i < 3; i++) await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'open', statusReason: expect.stringContaining('no spot market') })
    bench.between.wrap = (trading) => trading
    await keys()
    const { book } = bench.exchange.spot
    book.fillRest(book.find('BTCUSDT', { clientOrderId: body.clientOrderId }))
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'filled', statusReason: null })
  })

  it('neither follows nor cancels a testnet order while the mainnet is in use', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    const mainnet = bench.roomWith({ testnet: false })
    const asks = bench.exchange.requests.length
    bench.clock.aheadMs += GIVE_UP_AFTER_MS
    await mainnet.reconcileOrders()
    await expect(mainnet.orders.cancel(body.id, admin)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('TESTNET'),
    })
    expect(bench.exchange.requests).toHaveLength(asks)
    expect(await only()).toMatchObject({ status: 'open', statusReason: null })
    expect(await mainnet.orders.list(admin.userId, { limit: 10 })).toMatchObject([{ id: body.id, network: 'testnet' }])
    await mainnet.close()
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'open' })
  })

  it('does not touch an order of one exchange while another is in use', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    const elsewhere = bench.roomWith({ market: { ...bench.market, venue: 'bybit' } })
    const asks = bench.exchange.requests.length
    bench.clock.aheadMs += GIVE_UP_AFTER_MS
    await elsewhere.reconcileOrders()
    await expect(elsewhere.orders.cancel(body.id, admin)).rejects.toMatchObject({ code: 'not_found' })
    expect(await elsewhere.orders.list(admin.userId, { limit: 10 })).toEqual([])
    await elsewhere.close()
    expect(bench.exchange.requests).toHaveLength(asks)
    expect(await only()).toMatchObject({ status: 'open', statusReason: null })
  })

  it('is followed and cancelled after its admin lost the role, who then makes virtual ones only', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) }, 'then')
    const now = await bench.signIn(admin.userId, 'user')
    expect((await order({ type: 'limit', price: Math.floor(price() - 1_000) }, 'then', now)).status).toBe(409)
    expect((await order({}, undefined, now)).body).toMatchObject({ isVirtual: true, status: 'filled' })
    await later(GIVE_UP_AFTER_MS)
    expect((await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, now)).body).toMatchObject({
      status: 'cancelled',
    })
    expect((await bench.ask('GET', '/api/accounts/keys', undefined, now)).body).toHaveLength(1)
    expect((await bench.ask('DELETE', '/api/accounts/keys', undefined, now)).body).toEqual({ unsettledOrders: 0 })
    expect(sent()).toHaveLength(1)
  })

  it('is told apart from virtual ones in one list', async () => {
    const real = (await order()).body
    const virtual = (await order({ isVirtual: true })).body
    expect((await list()).map((o: { id: string; isVirtual: boolean }) => [o.id, o.isVirtual])).toEqual([
      [virtual.id, true],
      [real.id, false],
    ])
    expect(virtual.network).toBeUndefined()
    expect(sent()).toHaveLength(1)
  })

  it('is hidden from other users', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    for (const person of Object.values(bench.users)) {
      expect(await list(person)).toEqual([])
      expect((await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, person)).status).toBe(404)
    }
    expect(sent()).toMatchObject([{ status: 'NEW' }])
  })

  it.each(['owner', 'other', 'manager'] as const)('is not for %s: it is a virtual one', async (who) => {
    const person = bench.users[who]
    expect((await order({}, undefined, person)).body).toMatchObject({ isVirtual: true, status: 'filled' })
    expect((await bench.ask('GET', '/api/balance?isVirtual=false', undefined, person)).body.isVirtual).toBe(true)
    expect((await bench.ask('POST', '/api/accounts/keys', bench.exchange.credentials, person)).status).toBe(403)
    expect((await bench.ask('GET', '/api/accounts/keys', undefined, person)).body).toEqual([])
    expect((await bench.ask('DELETE', '/api/accounts/keys', undefined, person)).status).toBe(404)
    expect(sent()).toEqual([])
  })

  it.each([
    ['lose-reply', { kind: 'lose-reply' }],
    ['unknown-outcome', { kind: 'unknown-outcome' }],
  ] as const)('whose reply is lost (%s) is found by its id, and exists once', async (_, kind) => {
    fault(/POST .*order/, kind)
    const { status, body } = await order({}, 'lost')
    expect([status, body.status]).toEqual([200, 'sending'])
    expect(body.statusReason).toContain('not known yet')
    expect((await order({}, 'lost')).body.id).toBe(body.id)
    await bench.room.reconcileOrders()
    expect(await only()).toMatchObject({ id: body.id, status: 'filled', filled: 0.01 })
    expect((await order({}, 'lost')).body).toMatchObject({ id: body.id, status: 'filled' })
    expect(sent()).toHaveLength(1)
  })

  it.each([
    ['a lost request', { kind: 'drop' }],
    ['502', { kind: 'status', status: 502 }],
    ['504', { kind: 'status', status: 504 }],
  ] as const)('that never arrived (%s) is given up after a while and not sent again', async (_, kind) => {
    fault(/POST .*order/, kind)
    const { body } = await order({}, 'gone')
    expect(body.status).toBe('sending')
    await later(2_000)
    expect(await only()).toMatchObject({
      status: 'sending',
      statusReason: expect.stringContaining('do not send it again'),
    })
    const refused = await cancel(body.id)
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('not known yet whether')])
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'not_placed', filled: 0 })
    for (let i = 0; i < 5; i++) await later(3_600_000)
    expect((await order({}, 'gone')).body).toMatchObject({ id: body.id, status: 'not_placed' })
    expect(sent()).toEqual([])
  })

  it('applies what an order became that turns up after it was given up', async () => {
    fault(/POST .*order/, { kind: 'drop' })
    const { body } = await order()
    await later(GIVE_UP_AFTER_MS + 1)
    expect((await only()).status).toBe('not_placed')
    const { book } = bench.exchange.spot
    const { clientOrderId } = body
    const late = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      timeInForce: 'GTC',
      price: 0,
      stopPrice: 0,
      qty: 0.01,
    } as const
    book.place({ ...late, clientOrderId, reduceOnly: false }, price())
    await later(2 * GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'filled', filled: 0.01 })
    expect(sent()).toHaveLength(1)
  })

  it('stays in doubt while the exchange cannot be asked, and is not given up then', async () => {
    fault(/POST .*order/, { kind: 'lose-reply' })
    await order()
    fault(/GET .*order/, { kind: 'status', status: 503 }, 2)
    await later(GIVE_UP_AFTER_MS)
    expect((await only()).status).toBe('sending')
    await later(GIVE_UP_AFTER_MS)
    expect((await only()).status).toBe('sending')
    await later(GIVE_UP_AFTER_MS)
    expect((await only()).status).toBe('filled')
    expect(sent()).toHaveLength(1)
  })

  it('sent many times at once under one key is one', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => order({}, 'same')))
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    const other = await order({ amount: 0.02 }, 'same')
    expect([other.status, other.body.code]).toEqual([409, 'conflict'])
    expect((await order({ isVirtual: true }, 'same')).status).toBe(409)
    expect(sent()).toHaveLength(1)
  })

  it('finds an order at the exchange that it calls a duplicate', async () => {
    bench.between.wrap = (trading) => ({
      ...trading,
      // As a transport would that sends again by itself.
      createOrder: async (request) => {
        await trading.createOrder(request)
        return trading.createOrder(request)
      },
    })
    const twice = bench.roomWith({})
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', amount: 0.01, isVirtual: false } as const
    const asked = { member: admin, request: null }
    const low = Math.floor(price() - 1_000)
    expect(await twice.orders.place({ ...draft, price: low }, asked)).toMatchObject({ status: 'open' })
    await twice.close()
    expect(sent()).toHaveLength(1)
  })

  it('is looked up by two processes at once without harm', async () => {
    fault(/POST .*order/, { kind: 'lose-reply' })
    await order()
    const another = bench.roomWith({})
    await Promise.all([bench.room.reconcileOrders(), another.reconcileOrders()])
    await another.close()
    const { rows } = await bench.db.pool.query<{ n: number }>(
      'select count(*)::int as n from trading.fills where order_id = $1',
      [(await only()).id],
    )
    expect(rows).toEqual([{ n: 1 }])
    expect(sent()).toHaveLength(1)
  })

  const refusals: [string, () => object, number, string][] = [
    ['more than there is', () => ({ amount: 50 }), 422, 'insufficient_funds'],
    ['coins that are not there', () => ({ side: 'sell', amount: 2 }), 422, 'insufficient_funds'],
    ['too little', () => ({ amount: 0.00001 * Math.floor(4 / price() / 0.00001) }), 422, 'unprocessable'],
    ['an unknown coin', () => ({ symbol: 'NOSUCHUSDT' }), 422, 'unknown_symbol'],
    ['a price off the grid', () => ({ type: 'limit', price: Math.floor(price()) + 0.001 }), 422, 'unprocessable'],
  ]
  it.each(refusals)('is refused in words for %s', async (_, over, status, code) => {
    const reply = await order(over(), 'refused')
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(sent().filter((o) => o.status !== 'CANCELED')).toEqual([])
    const all = await list()
    for (const one of all) expect(one.status).toBe('rejected')
    for (let i = 0; i < 3; i++) await later(GIVE_UP_AFTER_MS)
    expect(await list()).toEqual(all)
  })

  it('is not placed, and said so, where the exchange takes no requests', async () => {
    fault(/POST .*order/, { kind: 'limited', status: 429, retryAfterS: 0.05 })
    const reply = await order({}, 'limited')
    expect([reply.status, reply.body.code]).toEqual([503, 'venue_rate_limited'])
    expect(await only()).toMatchObject({ status: 'not_placed' })
    expect((await order({}, 'limited')).body.status).toBe('not_placed')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await order({}, 'another')).body.status).toBe('filled')
    expect(sent()).toHaveLength(1)
  })

  it('goes through though the clocks drift apart, once', async () => {
    await order()
    for (const skewMs of [60_000, -60_000]) {
      bench.exchange.skewMs = skewMs
      expect((await order()).body.status).toBe('filled')
    }
    expect(sent()).toHaveLength(3)
  })

  it('is not sent by a process that was held up after writing it down', async () => {
    let held = false
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: async (symbol, id) => {
        const found = await trading.findOrder(symbol, id)
        held = true
        return found
      },
    })
    const slow = bench.roomWith({})
    const asked = { member: admin, request: null }
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false } as const
    const { now } = Date
    const { transaction } = bench.db.orm
    try {
      // The clock leaps between the commit and the sending: the first reading after the intent is the sender's.
      let leap = 0
      Date.now = () => now() + leap
      bench.db.orm.transaction = (async (...args: Parameters<typeof transaction>) => {
        const made = await transaction.apply(bench.db.orm, args)
        if (held) leap = 10_000
        return made
      }) as typeof transaction
      await expect(slow.orders.place(draft, asked)).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      bench.db.orm.transaction = transaction
      Date.now = now
      await slow.close()
    }
    expect(await only()).toMatchObject({ status: 'not_placed' })
    expect(sent()).toEqual([])
  })

  it('is followed no further where its key was revoked or taken back, and again with it', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    fault(
      /GET .*order/,
      {
        kind: 'status',
        status: 401,
        body: '{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}',
      },
      1_000,
    )
    await later(6_000)
    expect(await only()).toMatchObject({ status: 'open' })
    expect((await only()).statusReason).toContain('refuses the key')
    bench.exchange.faults.clear()
    const gone = await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)
    expect(gone.body).toEqual({ unsettledOrders: 1 })
    const refused = await order()
    expect([refused.status, refused.body.field]).toEqual([422, 'isVirtual'])
    expect(refused.body.error).toContain('no API key')
    await later(60_000)
    expect((await only()).statusReason).toContain('no API key')
    await keys()
    const { book } = bench.exchange.spot
    book.cancel(book.find('BTCUSDT', { clientOrderId: body.clientOrderId }))
    await later(600_000)
    expect(await only()).toMatchObject({ status: 'cancelled', statusReason: null })
    expect(sent()).toHaveLength(1)
  })

  it('does not give up an order in doubt under another key, which may not see it', async () => {
    fault(/POST .*order/, { kind: 'drop' })
    const { body } = await order()
    await bench.db.pool.query("update trading.orders set key_mark = 'of another key' where id = $1", [body.id])
    await later(2 * GIVE_UP_AFTER_MS)
    expect((await only()).status).toBe('sending')
    expect((await only()).statusReason).toContain('another API key')
  })
})
