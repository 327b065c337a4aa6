import { audit } from '@shapecast/platform/tables'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountsBench, MINUTE, START_MS } from '../../test/support/accounts-bench.ts'
import { call, type Person } from '../../test/support/service-bench.ts'

const HOUR = 60 * MINUTE
let me: Person
const bench = await createAccountsBench()
afterAll(() => bench.close())
beforeEach(async () => {
  bench.market.nowMs = START_MS
  bench.market.kind = 'simulated'
  bench.market.prices.set('BTCUSDT', { last: 100, ageMs: 0 })
  bench.said = {}
  me = await bench.newcomer()
})

const ask = (method: 'GET' | 'POST', url: string, body?: object, as: Person | null = me, idempotencyKey?: string) =>
  call(bench.app, method, url, { as, body, idempotencyKey })
const trade = (body: object = {}, as: Person | null = me, key?: string) =>
  ask('POST', '/api/ml/auto-trade', { symbol: 'BTCUSDT', amount: 2, ...body }, as, key)
const orders = async () => (await ask('GET', '/api/orders')).body
const decisions = async (userId = me.userId) =>
  (
    await bench.db.pool.query<{ action: string; reason: string; order_id: string | null }>(
      `select d.action, d.reason, d.order_id from trading.auto_trade_decisions d
       join trading.accounts a on a.id = d.account_id where a.owner_id = $1 order by d.id`,
      [userId],
    )
  ).rows

describe('auto-trade', () => {
  it('auto-trade buys the amount on BUY, guards it with a stop-loss by default, and says what it did', async () => {
    const { status, body } = await trade()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      symbol: 'BTCUSDT',
      timeframe: '1h',
      action: 'bought',
      decision: 'v3 says BUY at 61.0 %: bought 2 BTC at 100.05, with a stop-loss at 95.',
      isVirtual: true,
      venue: 'scripted',
      market: 'simulated',
      prediction: { signal: 'BUY', version: 'v3', stopLoss: 95 },
      order: { side: 'buy', type: 'market', status: 'filled', filled: 2, source: 'auto_trade' },
      stopOrder: { side: 'sell', type: 'stop', status: 'open', amount: 2, stopPrice: 95 },
    })
    expect(body.notice).toMatch(/^Simulated market: these prices are made up.*no order was sent/)
    expect((await ask('GET', '/api/positions')).body).toMatchObject([{ quantity: 2, stopLoss: 95 }])
    // The stop sets no money aside.
    expect((await ask('GET', '/api/balance')).body).toMatchObject({ reserved: 0 })
    const [decision] = await decisions()
    expect(decision).toMatchObject({ action: 'bought', reason: body.decision, order_id: body.order.id })
  })

  it.each([
    ['live', /^Prices of scripted\. Virtual account/],
    ['replay', /^Replayed history: these prices are of the past/],
  ] as const)('says so where the market is %s', async (kind, words) => {
    bench.market.kind = kind
    expect((await trade()).body.notice).toMatch(words)
  })

  it('says so where the model itself expects such a trade to lose', async () => {
    bench.said = { edgeBps: -20.66 }
    expect((await trade()).body.decision).toMatch(/stop-loss at 95\. By its own reckoning.*: -20\.7 bps after costs\.$/)
  })

  it('leaves the stop-loss out where it is switched off', async () => {
    const { body } = await trade({ enableStopLoss: false })
    expect(body).toMatchObject({ action: 'bought', stopOrder: null })
    expect(body.decision).toContain('without a stop-loss')
    expect(await orders()).toHaveLength(1)
  })

  it('auto-trade sells all that is held on SELL, whatever the amount, and cancels the stops', async () => {
    await trade()
    bench.said = { signal: 'SELL', stopLoss: 105 }
    const { body } = await trade({ amount: 0.5 })
    expect(body).toMatchObject({ action: 'sold', order: { side: 'sell', filled: 2 }, stopOrder: null })
    expect(body.decision).toBe('v3 says SELL at 61.0 %: sold 2 BTC at 99.95.')
    expect((await ask('GET', '/api/positions')).body).toEqual([])
    expect((await orders()).find((o: { type: string }) => o.type === 'stop')).toMatchObject({
      status: 'cancelled',
      statusReason: 'What it guarded has been sold.',
    })
  })

  it('on SELL sells nothing that open orders to sell have set aside', async () => {
    const sale = (price: number) =>
      ask('POST', '/api/order', { symbol: 'BTCUSDT', side: 'sell', type: 'limit', amount: 1, price })
    await trade()
    await sale(120)
    bench.said = { signal: 'SELL', stopLoss: 105 }
    const { body } = await trade({}, me, 'first')
    expect(body).toMatchObject({ action: 'sold', order: { filled: 1 } })
    expect(body.decision).toContain('(the rest is set aside by open orders to sell)')
    const none = (await trade({}, me, 'second')).body
    expect(none).toMatchObject({ action: 'none', order: null })
    expect(none.decision).toContain('all of your BTC are set aside')
  })

  it('answers the same request again though there is no price any more', async () => {
    const { body } = await trade({}, me, 'again')
    bench.market.prices.set('BTCUSDT', { last: 100, ageMs: 1e9 })
    expect(await trade({}, me, 'again')).toMatchObject({ status: 200, body })
  })

  it('auto-trade makes no order on SELL with nothing to sell, and says why', async () => {
    bench.said = { signal: 'SELL', stopLoss: 105 }
    const { status, body } = await trade()
    expect([status, body.action, body.order]).toEqual([200, 'none', null])
    expect(body.decision).toMatch(/you hold no BTC.*cannot go short/)
  })

  it('auto-trade makes no order on HOLD, and says why each time', async () => {
    bench.said = { signal: 'HOLD' }
    for (let i = 0; i < 2; i++) {
      const { status, body } = await trade()
      expect([status, body.action, body.order, body.stopOrder]).toEqual([200, 'none', null, null])
      expect(body.decision).toBe('v3 says HOLD at 61.0 %: no order, the model sees no direction that is sure enough.')
    }
    expect(await decisions()).toHaveLength(2)
    expect((await ask('GET', '/api/balance')).body.balance).toBe(10_000)
  })

  it('does not buy where the price has fallen to the stop-loss already', async () => {
    bench.market.prices.set('BTCUSDT', { last: 95, ageMs: 0 })
    const { body } = await trade()
    expect(body).toMatchObject({ action: 'none', order: null })
    expect(body.decision).toContain('already at or below the stop-loss (95)')
    expect((await trade({ enableStopLoss: false })).body.action).toBe('bought')
  })

  it('buys once a candle: a second time is refused with 409, also ten times at once, and the next candle is free', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => trade()))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status, body }) => status === 409 && body.code === 'conflict')).toHaveLength(9)
    expect((await trade({ amount: 1 })).body.error).toMatch(/acted on already: no second order.*Idempotency-Key/)
    bench.market.nowMs += HOUR
    expect((await trade()).status).toBe(200)
    expect((await ask('GET', '/api/positions')).body).toMatchObject([{ quantity: 4 }])
    expect((await decisions()).map(({ action }) => action).sort()).toEqual([
      'bought',
      'bought',
      ...Array(10).fill('refused'),
    ])
  })

  it('with an Idempotency-Key is done once a key, ten times at once and later too', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => trade({}, me, 'a')))
    bench.market.nowMs += 5 * HOUR
    bench.said = { signal: 'SELL' }
    replies.push(await trade({}, me, 'a'))
    expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect((await trade({ amount: 3 }, me, 'a')).status).toBe(409)
    bench.market.nowMs -= 5 * HOUR
    bench.said = {}
    // Another key means another order; no key does not.
    expect((await trade({}, me, 'b')).status).toBe(200)
    expect((await trade()).status).toBe(409)
    expect((await ask('GET', '/api/positions')).body).toMatchObject([{ quantity: 4 }])
  })

  it('is refused with the amount needed when it cannot be paid, leaves nothing half done, and is written down', async () => {
    const reply = await trade({ amount: 100 })
    expect([reply.status, reply.body.code]).toEqual([422, 'insufficient_funds'])
    expect(await orders()).toEqual([])
    expect(await decisions()).toMatchObject([{ action: 'refused', order_id: null }])
    expect((await decisions())[0]!.reason).toMatch(/^v3 says BUY at 61.0 %: This needs 10011\.003 USDT/)
    const [entry] = await bench.db.orm
      .select()
      .from(audit)
      .where(and(eq(audit.actorId, me.userId), eq(audit.action, 'auto_trade.decided')))
    expect(entry!.after).toMatchObject({ action: 'refused', version: 'v3', signal: 'BUY', amount: 100 })
    // What was not done may be tried again within the same candle.
    expect((await trade()).status).toBe(200)
  })

  it('does not act on a prediction that is two candles old', async () => {
    const aligned = START_MS - 2 * HOUR
    bench.said = { aligned_ts: aligned, timestamp: aligned - HOUR }
    const reply = await trade()
    expect([reply.status, reply.body.code]).toEqual([503, 'venue_unreachable'])
    expect(reply.body.error).toMatch(/closed 120 min ago.*stale.*Nothing was done/)
    expect(await orders()).toEqual([])
  })

  it('is for everybody signed in; real only an admin could ask for it, and is told that it is not possible yet', async () => {
    expect((await trade({}, null)).status).toBe(401)
    for (const person of Object.values(bench.users)) expect((await trade({}, person)).body.isVirtual).toBe(true)
    bench.market.nowMs += HOUR
    const { admin, owner } = bench.users
    const refused = await trade({ isVirtual: false }, admin)
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([422, 'unprocessable', 'isVirtual'])
    expect(await decisions(admin.userId)).toHaveLength(1)
    expect((await trade({ isVirtual: false }, owner)).body).toMatchObject({ isVirtual: true, action: 'bought' })
  })

  it.each([
    [{ amount: undefined }, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: '2' }, 'amount'],
    [{ symbol: 'BTC-USDT' }, 'symbol'],
    [{ enableStopLoss: 'yes' }, 'enableStopLoss'],
    [{ timeframe: '2h' }, 'timeframe'],
  ])('is refused with 400 for %j', async (body, field) => {
    const reply = await trade(body)
    expect([reply.status, reply.body.field]).toEqual([400, field])
  })
})
