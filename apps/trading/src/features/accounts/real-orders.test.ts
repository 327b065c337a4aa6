import { randomUUID } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { audit } from '@shapecast/platform/tables'
import type { VenueOrder } from '@shapecast/venues/live-trading'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/service-bench.ts'
import { GIVE_UP_AFTER_MS } from './real/order-progress.ts'
import { createRealBench, type RealBench, type Reply, WIDE_LIMITS } from './testing/real-bench.ts'

let bench: RealBench
let admin: Person
/** Orders at the exchange that came since the test began. */
let sent: () => RealBench['exchange']['spot']['book']['all']
beforeAll(async () => {
  bench = await createRealBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  const { exchange } = bench
  const userId = randomUUID()
  admin = {
    userId,
    role: 'admin',
    token: (await bench.sessions.issue({ userId, role: 'admin' })).accessToken,
  }
  const before = exchange.spot.book.all.length
  sent = () => exchange.spot.book.all.slice(before)
  exchange.spot.balances.set('USDT', 100_000)
  exchange.spot.balances.set('BTC', 1)
  exchange.spot.feesIn = null
  expect(await keys()).toMatchObject({ status: 200 })
  expect((await limit(WIDE_LIMITS)).status).toBe(200)
})
afterEach(async () => {
  const { exchange } = bench
  // All admins of these tests share one account there: those of earlier tests are not looked after any more.
  await bench.db.pool.query('update trading.real_orders set next_look_ms = null, next_guard_ms = null')
  exchange.faults.clear()
  exchange.skewMs = 0
  for (const order of exchange.spot.book.open()) exchange.spot.book.cancel(order)
  bench.clock.aheadMs = 0
  bench.between.wrap = (trading) => trading
})

const keys = (over: object = {}, as = admin) =>
  bench.ask('POST', '/api/accounts/keys', { ...bench.exchange.credentials, ...over }, as)
const limit = (to: object, as = admin) => bench.ask('PATCH', '/api/accounts/limits', to, as)
const order = (over: object = {}, key?: string, as = admin) =>
  bench.ask(
    'POST',
    '/api/order',
    { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false, ...over },
    as,
    key,
  )
const list = async (as = admin) => (await bench.ask('GET', '/api/orders', undefined, as)).body
const only = async () => {
  const all = await list()
  expect(all).toHaveLength(1)
  return all[0]
}
const price = () => bench.exchange.data.last('BTCUSDT')!
const fault = (at: RegExp, kind: Parameters<RealBench['exchange']['faults']['rest']>[0]['fault'], times = 1) =>
  bench.exchange.faults.rest({ at, fault: kind, times })
/** As the worker does, once enough time has passed. */
const later = async (aheadMs: number, room = bench.room) => {
  bench.clock.aheadMs += aheadMs
  await room.reconcileOrders()
}

describe('a real order', () => {
  it('of the market is sent once, and its fills and fees are what the exchange says', async () => {
    const { body, status } = await order()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      isVirtual: false,
      venue: 'binance',
      market: 'live',
      network: 'testnet',
      status: 'filled',
      filled: 0.01,
      average: price(),
      fees: [{ asset: 'BTC', amount: 0.00001 }],
      fee: 0,
      statusReason: null,
    })
    expect(body.clientOrderId).toMatch(/^sc[0-9a-f]{30}$/)
    const sold = (await order({ side: 'sell' })).body
    expect(sold.fee).toBeCloseTo(0.01 * price() * 0.001, 7)
    expect(sent().map((o) => o.clientOrderId)).toEqual([body.clientOrderId, sold.clientOrderId])
    expect((await bench.ask('GET', '/api/balance', undefined, admin)).body).toMatchObject({
      isVirtual: true,
      balance: 10_000,
    })
  })

  it('with a limit waits, is filled in part, cancelled, and keeps what was filled', async () => {
    bench.exchange.faults.partialFills.push(0.4)
    const limit = Math.ceil(price() + 10)
    const used = async () => (await bench.ask('GET', '/api/accounts/limits', undefined, admin)).body.usedNotional
    const { body } = await order({ type: 'limit', price: limit })
    expect(body).toMatchObject({ status: 'open', amount: 0.01, filled: 0.004 })
    expect(body.fees).toEqual([{ asset: 'BTC', amount: 0.000004 }])
    expect(await used()).toBeCloseTo(0.01 * limit, 8)
    const cancelled = await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, admin)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', filled: 0.004 })
    // Of its day's limit it keeps what was filled: four tenths.
    expect(await used()).toBeCloseTo(0.004 * limit, 8)
    expect((await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, admin)).status).toBe(409)
    expect(sent()).toMatchObject([{ status: 'CANCELED', filled: 0.004 }])
  })

  it('that waits is followed by the worker, part by part, to its end', async () => {
    bench.exchange.faults.partialFills.push(0.4)
    const { body } = await order({ type: 'limit', price: Math.ceil(price() + 10) })
    const { book } = bench.exchange.spot
    book.fillRest(book.find('BTCUSDT', { clientOrderId: body.clientOrderId }))
    await bench.room.reconcileOrders()
    expect(await only()).toMatchObject({ status: 'open', filled: 0.004 })
    await later(6_000)
    const filled = await only()
    expect(filled).toMatchObject({ id: body.id, status: 'filled', filled: 0.01 })
    expect(filled.fees).toEqual([{ asset: 'BTC', amount: 0.00001 }])
    expect(sent()).toHaveLength(1)
  })

  it('keeps every part with price, amount, fee and id, so that average and fees are exact, in BNB too', async () => {
    const { exchange } = bench
    exchange.spot.balances.set('BNB', 10)
    exchange.spot.feesIn = { asset: 'BNB', price: 600 }
    exchange.faults.partialFills.push(0.3)
    const limit = Math.ceil(price() + 10)
    const { body } = await order({ type: 'limit', price: limit })
    const { book } = exchange.spot
    book.fillRest(book.find('BTCUSDT', { clientOrderId: body.clientOrderId }))
    await later(6_000)
    const filled = await only()
    const ids = sent()[0]!.fills.map(({ tradeId }) => String(tradeId))
    expect(filled.fills).toMatchObject([
      { tradeId: ids[0], price: price(), amount: 0.003 },
      { tradeId: ids[1], price: limit, amount: 0.007 },
    ])
    expect(filled.average).toBeCloseTo(0.3 * price() + 0.7 * limit, 9)
    const fee = (quantity: number, at: number) => (quantity * at * 0.001) / 600
    expect(filled.fills[1].fees).toEqual([{ asset: 'BNB', amount: expect.closeTo(fee(0.007, limit), 7) }])
    expect(filled.fees).toEqual([{ asset: 'BNB', amount: expect.closeTo(fee(0.003, price()) + fee(0.007, limit), 7) }])
    expect(filled.fee).toBe(0)
  })

  it('that the exchange answers with an error of its own is in doubt, then what it is', async () => {
    fault(/POST .*order/, {
      kind: 'status',
      status: 503,
      body: '{"code":-9999,"msg":"Unknown error, please try again later."}',
    })
    const { status, body } = await order({}, 'odd')
    expect([status, body.status]).toEqual([200, 'sending'])
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'not_placed' })
    expect(sent()).toEqual([])
  })

  /** What was written down of an order: what was asked and heard, and the audit of it. */
  const written = async (id: string) => {
    const { rows } = await bench.db.pool.query<{ what: string; code: string | null }>(
      "select what, said ->> 'code' as code from trading.real_order_events where order_id = $1 order by id",
      [id],
    )
    const audited = (await bench.db.orm.select().from(audit).orderBy(audit.id)).filter((a) => a.subjectId === id)
    return [rows.map(({ what, code }) => (code === null ? what : `${what}: ${code}`)), audited.map((a) => a.action)]
  }

  it('is written down with every part that is new, and once', async () => {
    bench.exchange.faults.partialFills.push(0.4)
    const { body } = await order({ type: 'limit', price: Math.ceil(price() + 10) })
    for (let i = 0; i < 2; i++) await later(60_000)
    const first = [
      ['intent', 'reply'],
      ['order.placed', 'order.open'],
    ]
    expect(await written(body.id)).toEqual(first)
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: async (...of) => ({ ...(await trading.findOrder(...of))!, filled: 0.006 }),
    })
    await keys()
    for (let i = 0; i < 2; i++) await later(60_000)
    expect(await written(body.id)).toEqual([
      [...first[0]!, 'look'],
      [...first[1]!, 'order.open'],
    ])
    expect(await only()).toMatchObject({ status: 'open', filled: 0.006 })
  })

  it('that is refused is written down with what the exchange said', async () => {
    await order({ amount: 50 })
    const { id, closedAt } = await only()
    expect(closedAt).not.toBeNull()
    expect(await written(id)).toEqual([
      ['intent', 'failure: insufficient_funds'],
      ['order.placed', 'order.rejected'],
    ])
  })

  const cancel = (id: string) => bench.ask('DELETE', `/api/orders/${id}`, undefined, admin)
  const waiting = async () => (await order({ type: 'limit', price: Math.floor(price() - 1_000) })).body

  it('in doubt is looked up where it is to be cancelled', async () => {
    fault(/POST .*order/, { kind: 'lose-reply' })
    const { id, status } = await waiting()
    expect(status).toBe('sending')
    expect(await written(id)).toEqual([['intent', 'failure: order_ambiguous'], ['order.placed']])
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
    fault(/POST .*order/, { kind: 'lose-reply' })
    const bought = (await order()).body
    const asks = bench.exchange.requests.length
    const refused = await cancel(bought.id)
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('filled already')])
    expect(bench.exchange.requests.slice(asks).some(({ name }) => name.startsWith('DELETE'))).toBe(false)
    expect(sent().map((o) => o.status)).toEqual(['CANCELED', 'FILLED'])
  })

  it('that fills while it is being cancelled is filled, and not said to be cancelled', async () => {
    const { id, clientOrderId } = await waiting()
    const { book } = bench.exchange.spot
    book.fillRest(book.find('BTCUSDT', { clientOrderId }))
    const refused = await cancel(id)
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('filled already')])
    expect(await only()).toMatchObject({ status: 'filled', filled: 0.01 })
  })

  it('of whose cancelling nothing is heard is looked up at once by whoever comes next', async () => {
    const { id } = await waiting()
    for (let i = 0; i < 3; i++) await later(20_000)
    fault(/DELETE .*order/, { kind: 'lose-reply' })
    fault(/GET .*order/, { kind: 'status', status: 503 })
    expect((await cancel(id)).status).toBe(503)
    expect(await only()).toMatchObject({ status: 'open' })
    await later(1)
    expect(await only()).toMatchObject({ status: 'cancelled' })
  })

  it('is in doubt where something of ours breaks after it was sent', async () => {
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: async (request) => {
        await trading.createOrder(request)
        throw new TypeError('of ours')
      },
    })
    await keys()
    const { body } = await order()
    expect(body).toMatchObject({ status: 'sending' })
    expect(await written(body.id)).toEqual([['intent', 'failure: internal'], ['order.placed']])
    await later(1)
    expect(await only()).toMatchObject({ status: 'filled' })
    expect(sent()).toHaveLength(1)
  })

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

  it('whose record was lost is found at the exchange under its key, and not sent again', async () => {
    const { body } = await order({}, 'kept')
    // As in a database of an older copy.
    const { pool } = bench.db
    await pool.query("update trading.real_orders set client_order_id = 'of another' where id = $1", [body.id])
    await pool.query('update trading.accounts set user_id = $1 where user_id = $2', [randomUUID(), admin.userId])
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

  it('that one process finds is what it found, though another was told before that there is none', async () => {
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

  it('of a market that is gone rests, says why, and is followed again where it comes back', async () => {
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

  it('of the testnet rests while the mainnet is in use, and is not cancelled there', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    const mainnet = bench.roomWith({ testnet: false })
    const asks = bench.exchange.requests.length
    bench.clock.aheadMs += GIVE_UP_AFTER_MS
    await mainnet.reconcileOrders()
    await expect(mainnet.orderDesk.cancel(body.id, admin, 'test')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('TESTNET'),
    })
    expect(bench.exchange.requests).toHaveLength(asks)
    expect(await mainnet.orderDesk.list(admin.userId, { limit: 10 })).toMatchObject([
      { id: body.id, network: 'testnet' },
    ])
    await mainnet.close()
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'open' })
  })

  it('of somebody who is no admin any more is followed and cancelled, and he makes virtual ones only', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) }, 'then')
    const { accessToken } = await bench.sessions.issue({ userId: admin.userId, role: 'user' })
    const now: Person = { userId: admin.userId, role: 'user', token: accessToken }
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

  it('of somebody else is nobody’s business', async () => {
    const { body } = await order({ type: 'limit', price: Math.floor(price() - 1_000) })
    for (const person of Object.values(bench.people)) {
      expect(await list(person)).toEqual([])
      expect((await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, person)).status).toBe(404)
    }
    expect(sent()).toMatchObject([{ status: 'NEW' }])
  })

  it.each(['owner', 'other', 'manager'] as const)('is not for %s: it is a virtual one', async (who) => {
    const person = bench.people[who]
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

  it('that turns up after it was given up is taken for what it is', async () => {
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

  it('that the exchange calls a double is found there', async () => {
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
    const asked = { member: admin, address: 'test', request: null }
    const low = Math.floor(price() - 1_000)
    expect(await twice.orderDesk.place({ ...draft, price: low }, asked)).toMatchObject({ status: 'open' })
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
      'select count(*)::int as n from trading.real_fills where order_id = $1',
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
  it.each(refusals)('of %s is refused with words', async (_, over, status, code) => {
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
    const asked = { member: admin, address: 'test', request: null }
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
      await expect(slow.orderDesk.place(draft, asked)).rejects.toMatchObject({ code: 'unavailable' })
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

  it('in doubt is not given up with another key: that one may not see it', async () => {
    fault(/POST .*order/, { kind: 'drop' })
    const { body } = await order()
    await bench.db.pool.query("update trading.real_orders set key_mark = 'of another key' where id = $1", [body.id])
    await later(2 * GIVE_UP_AFTER_MS)
    expect((await only()).status).toBe('sending')
    expect((await only()).statusReason).toContain('another API key')
  })
})

describe('a key', () => {
  const secrets = () => Object.values(bench.exchange.credentials)

  it('is tried before it is kept, and shows only its end', async () => {
    const wrong = await keys({ secret: 'not the secret' })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'venue_auth_failed'])
    expect(JSON.stringify(wrong)).not.toContain('not the secret')
    const { body } = await bench.ask('GET', '/api/accounts/keys', undefined, admin)
    expect(body).toEqual([
      {
        venue: 'binance',
        network: 'testnet',
        lastFour: '-key',
        savedAt: expect.any(Number),
        readable: true,
        limits: { network: 'testnet', currency: 'USDT', ...WIDE_LIMITS, usedNotional: 0 },
      },
    ])
    expect(sent()).toEqual([])
  })

  it('stands nowhere: not in the database, not in the audit, not in replies', async () => {
    const replies: Reply[] = [
      await keys(),
      await order(),
      await bench.ask('GET', '/api/accounts/keys', undefined, admin),
    ]
    const body = '{"code":-2015,"msg":"Invalid API-key, IP, or permissions for action."}'
    fault(/POST .*order/, { kind: 'status', status: 401, body })
    replies.push(await order())
    fault(/POST .*order/, { kind: 'drop' })
    replies.push(await order(), await keys({ apiKey: 'one that is wrong' }))
    fault(/GET .*order/, { kind: 'drop' }, 3)
    await later(2_000)
    await bench.ask('DELETE', '/api/accounts/keys', undefined, admin)
    await keys()
    expect(bench.logged.join('\n')).toContain('it is not known what became of an order')
    const tables = ['exchange_keys', 'real_orders', 'real_order_events', 'real_fills', 'keyed_replies']
    const dumps = await Promise.all(
      tables.map((name) => bench.db.pool.query(`select to_jsonb(t)::text as text from trading.${name} t`)),
    )
    const all = [
      JSON.stringify(replies),
      ...bench.logged,
      JSON.stringify(await bench.db.orm.select().from(audit)),
      ...dumps.flatMap(({ rows }) => rows.map(({ text }) => text as string)),
    ].join('\n')
    expect(all).toContain('exchange_keys.saved')
    for (const secret of secrets()) expect(all).not.toContain(secret)
  })

  it('of another SECRET_KEY is said to be unreadable', async () => {
    const other = bench.roomWith({ secretKey: 'another secret key that is long enough' })
    const asked = { member: admin, address: 'test', request: null }
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false } as const
    await expect(other.orderDesk.place(draft, asked)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('SECRET_KEY'),
    })
    expect(await other.keys.list(admin.userId)).toMatchObject([{ readable: false }])
    await other.reconcileOrders()
    expect(sent()).toEqual([])
  })

  it('of the testnet is not used on the mainnet', async () => {
    const other = bench.roomWith({ testnet: false })
    const asked = { member: admin, address: 'test', request: null }
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false } as const
    await expect(other.orderDesk.place(draft, asked)).rejects.toMatchObject({
      message: expect.stringContaining('(mainnet)'),
    })
    expect(sent()).toEqual([])
  })

  it('is not asked for where the market is no exchange, or one that is not known well enough', async () => {
    for (const [venue, kind, words] of [
      ['simulated', 'simulated', 'is none'],
      ['kraken', 'live', 'binance only'],
    ] as const) {
      const room = bench.roomWith({ market: { ...bench.market, venue, kind } })
      await expect(room.keys.put(bench.exchange.credentials, admin, 'test')).rejects.toMatchObject({
        code: 'unprocessable',
        message: expect.stringContaining(words),
      })
    }
  })
})

describe('limits', () => {
  const limits = async () => (await bench.ask('GET', '/api/accounts/limits', undefined, admin)).body
  const stranger = async (): Promise<Person> => {
    const userId = randomUUID()
    return { userId, role: 'admin', token: (await bench.sessions.issue({ userId, role: 'admin' })).accessToken }
  }

  it('are 100 USDT an order and 500 in 24 hours where nothing else is set, and are told with the key', async () => {
    admin = await stranger()
    expect((await keys()).body.limits).toEqual({
      network: 'testnet',
      currency: 'USDT',
      maxOrderNotional: 100,
      maxDayNotional: 500,
      usedNotional: 0,
    })
    const refused = await order()
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([422, 'over_limit', 'amount'])
    expect(refused.body.error).toMatch(/is worth \d+.* limited to 100 USDT each\. Nothing was sent\..*PATCH/)
    bench.said = { signal: 'BUY' }
    const trade = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, enableStopLoss: false }
    expect((await bench.ask('POST', '/api/ml/auto-trade', trade, admin)).body.code).toBe('over_limit')
    expect((await order({ isVirtual: true })).status).toBe(200)
    expect(sent()).toEqual([])
    const amount = Math.floor(99 / price() / 0.00001) * 0.00001
    const bought = await bench.ask('POST', '/api/ml/auto-trade', { ...trade, amount }, admin, 'small')
    expect(bought.body).toMatchObject({ action: 'bought' })
    expect(bought.body.notice).toContain('at most 100 USDT an order and 500 USDT in 24 hours')
    expect((await limits()).usedNotional).toBeCloseTo(amount * price(), 4)
  })

  it('of a day are kept by orders that come at once, count what was filled, and begin anew after 24 hours', async () => {
    const worth = 0.01 * price()
    await limit({ maxDayNotional: 2.5 * worth })
    const replies = await Promise.all(Array.from({ length: 6 }, () => order()))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422])
    expect(replies.find(({ status }) => status === 422)!.body.error).toContain('in 24 hours')
    expect(sent()).toHaveLength(2)
    const waiting = (await order({ type: 'limit', amount: 0.01, price: Math.floor(price() / 4) })).body
    expect(waiting.status).toBe('open')
    expect((await limits()).usedNotional).toBeCloseTo(2.25 * worth, 1)
    await bench.ask('DELETE', `/api/orders/${waiting.id}`, undefined, admin)
    expect((await limits()).usedNotional).toBeCloseTo(2 * worth, 4)
    bench.clock.aheadMs = 24 * 3_600_000 + 1_000
    expect((await limits()).usedNotional).toBe(0)
  })

  it('never keep anybody from selling what was bought here, and count other coins', async () => {
    bench.said = { signal: 'BUY', stopLoss: Math.floor(price() * 0.97) }
    const trade = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false }
    await bench.ask('POST', '/api/ml/auto-trade', trade, admin)
    expect(sent().map((o) => o.type)).toEqual(['MARKET', 'STOP_LOSS'])
    await order({ amount: 0.01 })
    await limit({ maxOrderNotional: 0, maxDayNotional: 0 })
    expect((await order({ amount: 0.001 })).body.code).toBe('over_limit')
    // 0.00999 are free, the stop has the others: one lot more is of other coins.
    expect((await order({ side: 'sell', amount: 0.01 })).body.code).toBe('over_limit')
    expect((await order({ side: 'sell', amount: 0.00999 })).body).toMatchObject({ status: 'filled' })
    bench.said = { signal: 'SELL' }
    expect((await bench.ask('POST', '/api/ml/auto-trade', trade, admin)).body).toMatchObject({ action: 'sold' })
  })

  it('are changed by admins for themselves, one by one, within reason, and written down', async () => {
    expect((await limit({ maxOrderNotional: 20 })).body).toMatchObject({ maxOrderNotional: 20, maxDayNotional: 1e9 })
    for (const [wrong, field] of [
      [{}, 'maxOrderNotional'],
      [{ maxOrderNotional: -1 }, 'maxOrderNotional'],
      [{ maxDayNotional: 'all' }, 'maxDayNotional'],
      [{ maxDayNotional: 1e10 }, 'maxDayNotional'],
    ] as const) {
      const reply = await limit(wrong)
      expect([reply.status, reply.body.field]).toEqual([400, field])
    }
    expect(await limits()).toMatchObject({ maxOrderNotional: 20 })
    for (const who of ['owner', 'manager'] as const) {
      expect((await limit({ maxOrderNotional: 1e6 }, bench.people[who])).status).toBe(403)
      expect((await bench.ask('GET', '/api/accounts/limits', undefined, bench.people[who])).status).toBe(403)
    }
    const entries = (await bench.db.orm.select().from(audit).orderBy(audit.id)).filter(
      ({ actorId, action }) => actorId === admin.userId && action === 'trading_limits.changed',
    )
    expect(entries.at(-1)).toMatchObject({ before: { maxOrderNotional: 1e9 }, after: { maxOrderNotional: 20 } })
  })
})

describe('the real account', () => {
  it('has what the exchange says', async () => {
    await order({ type: 'limit', price: 10_000, amount: 0.1 })
    const { body } = await bench.ask('GET', '/api/balance?isVirtual=false', undefined, admin)
    expect(body).toMatchObject({
      isVirtual: false,
      network: 'testnet',
      balance: 100_000,
      reserved: 1_000,
      available: 99_000,
      startingBalance: null,
      assets: expect.arrayContaining([{ asset: 'BTC', free: 1, used: 0, total: 1 }]),
    })
    const positions = (await bench.ask('GET', '/api/positions?isVirtual=false', undefined, admin)).body
    expect(positions).toMatchObject([
      { isVirtual: false, network: 'testnet', symbol: 'BTCUSDT', quantity: 1, lastPrice: price(), entryPrice: null },
    ])
    expect((await bench.ask('GET', '/api/balance?isVirtual=maybe', undefined, admin)).status).toBe(400)
  })
})

describe('a real auto-trade', () => {
  const trade = (over: object = {}, key?: string, as = admin) =>
    bench.ask(
      'POST',
      '/api/ml/auto-trade',
      { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, enableStopLoss: false, ...over },
      as,
      key,
    )

  it('buys on BUY, once a candle, and sells on SELL no more than it bought', async () => {
    bench.said = { signal: 'BUY' }
    const bought = (await trade()).body
    expect(bought).toMatchObject({
      isVirtual: false,
      network: 'testnet',
      action: 'bought',
      order: { status: 'filled', filled: 0.01, source: 'auto_trade' },
      stopOrder: null,
    })
    expect(bought.decision).toContain('without a stop-loss')
    expect(bought.notice).toContain('testnet')
    expect((await trade()).body).toMatchObject({ code: 'conflict', error: expect.stringContaining('acted on already') })
    bench.said = { signal: 'SELL' }
    // 0.01 less the fee of 0.00001 BTC; the other 1 BTC of the account stays.
    expect((await trade()).body).toMatchObject({ action: 'sold', order: { side: 'sell', filled: 0.00999 } })
    const again = (await trade({}, 'again')).body
    expect(again).toMatchObject({ action: 'none', order: null })
    expect(sent()).toHaveLength(2)
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
    expect(bench.exchange.spot.balances.get('BTC')).toBeGreaterThanOrEqual(1 - 1e-9)
  })

  it('buys nothing on what a model says that leaks, and still sells what was bought', async () => {
    bench.said = { signal: 'BUY', leaks: true }
    const refused = (await trade()).body
    expect(refused).toMatchObject({ action: 'none', order: null })
    expect(refused.decision).toContain('v3 failed its leak audit: real money buys nothing')
    expect(sent()).toEqual([])
    bench.said = { signal: 'BUY' }
    expect((await trade()).body).toMatchObject({ action: 'bought' })
    bench.said = { signal: 'SELL', leaks: true }
    expect((await trade()).body).toMatchObject({ action: 'sold' })
  })

  it('does nothing on HOLD, and sells nothing that it has not bought', async () => {
    for (const signal of ['HOLD', 'SELL'] as const) {
      bench.said = { signal }
      expect((await trade()).body).toMatchObject({ action: 'none', order: null, isVirtual: false })
    }
    expect(sent()).toEqual([])
  })

  it('under one key is one, whatever the model says meanwhile, and tells what became of it', async () => {
    bench.said = { signal: 'BUY' }
    fault(/POST .*order/, { kind: 'lose-reply' })
    const replies = await Promise.all(Array.from({ length: 5 }, () => trade({}, 'once')))
    const ids = new Set(replies.map(({ body }) => body.order.id))
    expect(ids.size).toBe(1)
    expect((await trade({}, 'once')).body.decision).toContain('NOT KNOWN YET')
    bench.said = { signal: 'SELL' }
    await bench.room.reconcileOrders()
    const after = (await trade({}, 'once')).body
    expect(after).toMatchObject({ action: 'bought', order: { status: 'filled' } })
    expect(after.decision).toContain('bought 0.01 BTC at')
    expect(sent()).toHaveLength(1)
  })

  it('that came to nothing says so under its key', async () => {
    bench.said = { signal: 'BUY' }
    fault(/POST .*order/, { kind: 'limited', status: 429, retryAfterS: 0.05 })
    expect((await trade({}, 'nothing')).status).toBe(503)
    const { body } = await trade({}, 'nothing')
    expect(body).toMatchObject({ order: { status: 'not_placed' } })
    expect(body.decision).toContain('nothing was traded. binance takes no requests')
    expect(sent()).toEqual([])
  })

  it('does not sell the same coins twice at once', async () => {
    bench.said = { signal: 'BUY' }
    await trade()
    bench.said = { signal: 'SELL' }
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((key) => trade({}, key)))
    expect(replies.filter(({ body }) => body.action === 'sold')).toHaveLength(1)
    expect(sent()).toHaveLength(2)
  })
})

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

  it('that the price has passed before it stood sells at once, what was bought and no more', async () => {
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

  it('that fires while a SELL lets go of it leaves nothing to sell twice', async () => {
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

  it('that cannot be seen any more is not said to stand, nor placed twice', async () => {
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

  it('is lifted and sold under another key of the same account', async () => {
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
    await bench.db.pool.query("update trading.real_orders set key_mark = 'of the key before'")
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

  it('that cannot be lifted keeps its coins from being sold', async () => {
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

  it('that is refused is told loudly, and placed as soon as the exchange takes it', async () => {
    buying()
    let times = 0
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: (request) => {
        if (request.type === 'stop' && times++ < 2) fault(/POST .*order/, { kind: 'status', status: 400, body: reject })
        return trading.createOrder(request)
      },
    })
    // Opened anew, through what stands between.
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
    ['placed anew where it never arrived', { kind: 'drop' }],
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

  it('that its owner cancels stays cancelled', async () => {
    buying()
    const { body } = await trade()
    const cancelled = await bench.ask('DELETE', `/api/orders/${body.stopOrder.id}`, undefined, admin)
    expect(cancelled.body).toMatchObject({ status: 'cancelled' })
    for (let i = 0; i < 5; i++) await later(60_000)
    expect((await purchase()).statusReason).toContain('cancelled by you')
    expect(sent()).toHaveLength(2)
  })

  it('that is in doubt cannot be cancelled, and goes on being guarded', async () => {
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
    for (let i = 0; i < 5; i++) await later(15_000)
    expect((await purchase()).statusReason).toContain('not at the exchange any more')
    expect(sent()).toHaveLength(1)
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
    // A SELL lifts stops only.
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
    expect((await trade({}, 'rest')).body).toMatchObject({
      action: 'none',
      decision: expect.stringContaining('too little to sell'),
    })
    expect(sent()).toHaveLength(3)
  })

  it('is not placed anew by a worker while the sale that it gave way to is under way', async () => {
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

  it('is tried again after 10 s, 20 s, 40 s and so on, as long as the exchange refuses it', async () => {
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
    // At 0, 10, 30 and 70 s; next at 150 s.
    for (let i = 0; i < 28; i++) await later(5_000)
    expect(tries).toBe(4)
  })

  it('that cannot be looked after is told where it does not stand, and only there', async () => {
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
      decision: expect.stringContaining('(0) is too little'),
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

  it('that has sold what it guarded touches nothing else that was bought here', async () => {
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

  it('of a purchase that was sold does not go over to one that came later, though the sale was in doubt', async () => {
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
