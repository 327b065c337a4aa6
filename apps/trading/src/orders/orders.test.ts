import { audit } from '@shapecast/platform/tables'
import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountsBench, START_MS } from '../../test/support/accounts-bench.ts'
import { call, type Person } from '../../test/support/service-bench.ts'

let me: Person
const bench = await createAccountsBench()
afterAll(() => bench.close())
beforeEach(async () => {
  bench.market.nowMs = START_MS
  bench.market.prices.set('BTCUSDT', { last: 100, ageMs: 0 })
  me = await bench.newcomer()
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const ask = (method: Method, url: string, body?: object, as: Person | null = me, idempotencyKey?: string) =>
  call(bench.app, method, url, { as, body, idempotencyKey })
const order = (body: object, as: Person | null = me, key?: string) =>
  ask('POST', '/api/order', { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 1, ...body }, as, key)
const money = async (as = me) => (await ask('GET', '/api/balance', undefined, as)).body
const listed = async (query = '') => (await ask('GET', `/api/orders${query}`)).body
const positions = async (as = me) => (await ask('GET', '/api/positions', undefined, as)).body

describe('an account', () => {
  it('begins with 10,000 USDT and no coins, and says that the market is simulated', async () => {
    expect(await money()).toEqual({
      isVirtual: true,
      venue: 'scripted',
      market: 'simulated',
      currency: 'USDT',
      startingBalance: 10_000,
      balance: 10_000,
      reserved: 0,
      available: 10_000,
      realisedPnl: 0,
      fees: 0,
      equity: 10_000,
    })
    expect([await positions(), await listed()]).toEqual([[], []])
  })

  it('belongs to one person: of every role, nobody sees or cancels the orders of another', async () => {
    const { body } = await order({ type: 'limit', price: 50 })
    for (const person of Object.values(bench.users)) {
      expect((await money(person)).balance).toBe(10_000)
      expect((await ask('GET', '/api/orders', undefined, person)).body).toEqual([])
      expect((await ask('DELETE', `/api/orders/${body.id}`, undefined, person)).status).toBe(404)
    }
    for (const [method, url] of [
      ['GET', '/api/balance'],
      ['GET', '/api/positions'],
      ['GET', '/api/orders'],
      ['POST', '/api/order'],
      ['DELETE', `/api/orders/${body.id}`],
      ['DELETE', '/api/orders'],
      ['PATCH', '/api/positions/guards'],
    ] as const)
      expect((await ask(method, url, /^P/.test(method) ? {} : undefined, null)).status).toBe(401)
  })

  it('has a ledger that nobody can change', async () => {
    await order({})
    for (const table of ['ledger_entries', 'fills']) {
      await expect(bench.db.pool.query(`update trading.${table} set at_ms = 0`)).rejects.toThrow('append-only')
      await expect(bench.db.pool.query(`delete from trading.${table}`)).rejects.toThrow('append-only')
    }
  })
})

describe('an order with a field that nobody heeds', () => {
  it.each(['trailingStop', 'reduceOnly', 'leverage'])('such as %s is refused', async (field) => {
    const { status, body } = await order({ [field]: 1 })
    expect([status, body.code]).toEqual([400, 'bad_input'])
    expect(body.error).toContain(`takes nothing called ${field}`)
    expect(await listed()).toEqual([])
  })
})

describe('an order of an amount in quote', () => {
  it('costs no more than that, fee and slippage included', async () => {
    // 1,000 ÷ (100.05 × 1.0006) = 9.98901, in lots of 0.001.
    const { body } = await order({ amount: undefined, quoteAmount: 1000 })
    expect(body).toMatchObject({ filled: 9.989 })
    expect((await money()).balance).toBeCloseTo(10_000 - 9.989 * 100.05 * 1.0006, 6)
    // As a limit it has no slippage: 1,000 ÷ (90 × 1.0006) = 11.10445.
    const limit = await order({ type: 'limit', price: 90, amount: undefined, quoteAmount: 1000 })
    expect(limit.body).toMatchObject({ status: 'open', amount: 11.104 })
    expect((await money()).reserved).toBeCloseTo(11.104 * 90 * 1.0006, 6)
    const sale = await order({ side: 'sell', amount: undefined, quoteAmount: 500 })
    expect(sale.body).toMatchObject({ status: 'filled', filled: 5 })
  })
})

describe('a purchase with a stop-loss and a take profit', () => {
  const guards = async () =>
    (await listed())
      .filter(({ type }: { type: string }) => type === 'stop' || type === 'take_profit')
      .map((one: Record<string, unknown>) => [one.type, one.status, one.amount, one.stopPrice, one.statusReason])
      .sort()

  it('is sold by the one that the price reaches, and the other goes', async () => {
    await order({ amount: 2, stopLoss: 95, takeProfit: 120 })
    expect(await guards()).toEqual([
      ['stop', 'open', 2, 95, null],
      ['take_profit', 'open', 2, 120, null],
    ])
    bench.market.minutes('BTCUSDT', [100, 121, 99, 119])
    await bench.room.watchOrders()
    expect(await guards()).toEqual([
      ['stop', 'cancelled', 2, 95, 'Its take profit has sold.'],
      ['take_profit', 'filled', 2, 120, null],
    ])
    // Bought at 100.05 and sold at 120, less 6 bps of 200.10 and of 240.
    expect((await money()).balance).toBeCloseTo(10_000 + 39.9 - 0.12006 - 0.144, 8)
    expect(await positions()).toEqual([])
  })

  it('takes the stop where one minute reaches both', async () => {
    // Minutes stay with the market: these are after those of the test before.
    bench.market.nowMs += 600_000
    await order({ amount: 2, stopLoss: 95, takeProfit: 120 })
    bench.market.minutes('BTCUSDT', [100, 121, 94, 119])
    await bench.room.watchOrders()
    expect((await guards()).map(([type, status]: unknown[]) => [type, status])).toEqual([
      ['stop', 'filled'],
      ['take_profit', 'cancelled'],
    ])
    expect((await money()).balance).toBeCloseTo(10_000 + 2 * (94.9525 - 100.05) - 0.12006 - 0.113943, 8)
  })

  it('can be sold by hand: what guarded it is made smaller, and goes with the rest', async () => {
    await order({ amount: 2, stopLoss: 95, takeProfit: 120 })
    await order({ side: 'sell', amount: 0.5 })
    expect((await guards()).map(([type, status, amount]: unknown[]) => [type, status, amount])).toEqual([
      ['stop', 'open', 1.5],
      ['take_profit', 'open', 1.5],
    ])
    await order({ side: 'sell', amount: 1.5 })
    expect((await guards()).map(([type, status]: unknown[]) => [type, status])).toEqual([
      ['stop', 'cancelled'],
      ['take_profit', 'cancelled'],
    ])
  })

  it.each([
    [{ stopLoss: 100 }, 'stopLoss', 'The stop-loss must be below the price of 100.'],
    [{ takeProfit: 100 }, 'takeProfit', 'The take profit must be above the price of 100.'],
    [{ stopLoss: 95.001 }, 'stopLoss', 'Prices of BTCUSDT are multiples of 0.01.'],
  ])('is refused with %j, and nothing is bought', async (body, field, words) => {
    const reply = await order(body)
    expect([reply.status, reply.body.field, reply.body.error]).toEqual([422, field, words])
    expect(await listed()).toEqual([])
  })
})

describe('a market order', () => {
  it('to buy 10 at 100 pays 1,000.5 and a fee of 0.6003', async () => {
    const { status, body } = await order({ side: 'BUY', type: 'MARKET', amount: 10 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'market',
      status: 'filled',
      amount: 10,
      filled: 10,
      price: null,
      stopPrice: null,
      reduceOnly: false,
      fee: 0.6003,
      pnl: null,
      source: 'user',
      isVirtual: true,
      market: 'simulated',
      filledAtMarketTime: START_MS,
    })
    expect(body.average).toBeCloseTo(100.05, 10)
    expect(await money()).toMatchObject({ balance: 8998.8997, available: 8998.8997, fees: 0.6003, equity: 9998.8997 })
    expect(await positions()).toMatchObject([
      { symbol: 'BTCUSDT', quantity: 10, cost: 1000.5, entryPrice: 100.05, lastPrice: 100, stopLoss: null },
    ])
    expect((await positions())[0].unrealisedPnl).toBeCloseTo(-0.5, 9)
    expect(await listed()).toEqual([body])
    const [entry] = await bench.db.orm
      .select()
      .from(audit)
      .where(and(eq(audit.actorId, me.userId), eq(audit.action, 'order.placed')))
      .orderBy(desc(audit.id))
    expect(entry).toMatchObject({ subjectId: body.id, after: { status: 'filled', amount: 10 } })
  })

  it('to sell 4 of 10 at 110 earns 4 × (109.945 − 100.05) = 39.58, and what is left still cost 600.3', async () => {
    await order({ amount: 10 })
    bench.market.prices.set('BTCUSDT', { last: 110, ageMs: 0 })
    const { body } = await order({ side: 'sell', amount: 4 })
    expect(body.pnl).toBeCloseTo(39.58, 8)
    expect(await money()).toMatchObject({ realisedPnl: 39.58 })
    expect(await positions()).toMatchObject([{ quantity: 6, cost: 600.3 }])
  })

  it('worth less than 5 USDT closes what is held, and opens nothing', async () => {
    await order({ amount: 0.1 })
    bench.market.prices.set('BTCUSDT', { last: 40, ageMs: 0 })
    expect((await order({ amount: 0.1 })).body.error).toMatch(/worth 5 USDT; this is worth 4\./)
    expect((await order({ side: 'sell', amount: 0.05 })).body.error).toMatch(/worth 5 USDT/)
    expect((await order({ side: 'sell', amount: 0.1 })).status).toBe(200)
    expect(await positions()).toEqual([])
  })

  it('is rounded down to the lot of 0.001', async () => {
    expect((await order({ amount: 1.2345678 })).body).toMatchObject({ amount: 1.234, filled: 1.234 })
  })

  it.each([
    ['more than there is', { amount: 100 }, 'insufficient_funds', /10011\.003 USDT.*10000 are free\. Choose/],
    ['less than the lot', { amount: 0.0009 }, 'unprocessable', /smallest amount of BTCUSDT is 0\.001 BTC/],
    ['less than the least value', { amount: 0.049 }, 'unprocessable', /worth 5 USDT; this is worth 4\.9/],
    ['a sale of what is not held', { side: 'sell' }, 'unprocessable', /hold no BTC.*cannot go short/],
    ['a sale worth 10²⁰', { side: 'sell', type: 'limit', amount: 1e9, price: 1e11 }, 'unprocessable', /hold no BTC/],
    ['an unknown market', { symbol: 'NOSUCHUSDT' }, 'unknown_symbol', /no market NOSUCHUSDT/],
    ['a market that is closed', { symbol: 'OLDUSDT' }, 'unprocessable', /not traded/],
    ['another currency', { symbol: 'BTCEURO' }, 'unprocessable', /holds USDT; BTCEURO is priced in EURO/],
    ['a price off the ticks', { type: 'limit', price: 99.995 }, 'unprocessable', /multiples of 0\.01/],
    ['an order of a bot', { botId: '01890000-0000-7000-8000-000000000000' }, 'unprocessable', /bot trades by itself/],
  ])('is refused with 422 for %s, and changes nothing', async (_what, body, code, words) => {
    const reply = await order(body)
    expect([reply.status, reply.body.code]).toEqual([422, code])
    expect(reply.body.error).toMatch(words)
    expect([await money(), await listed()]).toMatchObject([{ balance: 10_000 }, []])
  })

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ amount: '1' }, 'amount'],
    [{ amount: 1e10 }, 'amount'],
    [{ side: 'hold' }, 'side'],
    [{ side: 7 }, 'side'],
    [{ type: 'stop' }, 'type'],
    [{ type: 'limit' }, 'price'],
    [{ price: 100 }, 'price'],
    [{ type: 'limit', price: 0 }, 'price'],
    [{ type: 'limit', price: 1.1e11 }, 'price'],
    [{ amount: undefined }, 'amount'],
    [{ quoteAmount: 100 }, 'quoteAmount'],
    [{ amount: undefined, quoteAmount: 0 }, 'quoteAmount'],
    [{ type: 'limit', price: 90, stopLoss: 80 }, 'stopLoss'],
    [{ side: 'sell', takeProfit: 120 }, 'takeProfit'],
    [{ isVirtual: false, takeProfit: 120 }, 'takeProfit'],
    [{ symbol: 'BTC-USDT' }, 'symbol'],
    [{ botId: 'x' }, 'botId'],
    [{ isVirtual: 'no' }, 'isVirtual'],
  ])('is refused with 400 for %j', async (body, field) => {
    const reply = await order(body)
    expect([reply.status, reply.body.field]).toEqual([400, field])
  })

  it('is not filled at a price that is older than a minute', async () => {
    bench.market.prices.set('BTCUSDT', { last: 100, ageMs: 60_001 })
    const reply = await order({})
    expect([reply.status, reply.body.code]).toEqual([503, 'venue_unreachable'])
    expect(reply.body.error).toMatch(/stale: 60 s old.*Nothing was done/)
    bench.market.prices.set('BTCUSDT', { last: 100, ageMs: 60_000 })
    expect((await order({})).status).toBe(200)
  })

  it('fills nine of thirty purchases of 1,001.1 at once, and keeps the balance above 0', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => order({ amount: 10 })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(replies.filter(({ body }) => body.code === 'insufficient_funds')).toHaveLength(21)
    expect((await money()).balance).toBeCloseTo(10_000 - 9 * 1001.1003, 6)
    expect(await positions()).toMatchObject([{ quantity: 90 }])
  })

  it('sells what is held once when twenty sales arrive at once', async () => {
    await order({ amount: 1 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => order({ side: 'sell' })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await positions()).toEqual([])
  })
})

describe('a request with an Idempotency-Key', () => {
  it('is done once, though it arrives ten times at once and again later, and answers the same', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => order({ amount: 10 }, me, 'k-1')))
    bench.market.prices.set('BTCUSDT', { last: 200, ageMs: 1e9 })
    replies.push(await order({ amount: 10 }, me, 'k-1'))
    expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(await listed()).toHaveLength(1)
  })

  it('is refused with 409 where the key was used for something else, and is nothing to other people', async () => {
    await order({ amount: 10 }, me, 'k-2')
    const reply = await order({ amount: 11 }, me, 'k-2')
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([409, 'conflict', 'Idempotency-Key'])
    const other = await bench.newcomer()
    expect((await order({ amount: 11 }, other, 'k-2')).status).toBe(200)
    expect(await listed()).toHaveLength(1)
  })

  it('may be tried again after a refusal', async () => {
    expect((await order({ side: 'sell' }, me, 'k-3')).status).toBe(422)
    await order({})
    expect((await order({ side: 'sell' }, me, 'k-3')).status).toBe(200)
  })

  it.each(['', 'x'.repeat(201), 'two words', 'schlüssel'])('is refused with 400 for the key "%s"', async (key) => {
    expect((await order({}, me, key)).body).toMatchObject({ code: 'bad_input', field: 'Idempotency-Key' })
  })
})

describe('a limit order', () => {
  it('below the price waits and sets money aside: 10 × 90 and its fee of 0.54', async () => {
    const { body } = await order({ type: 'limit', amount: 10, price: 90 })
    expect(body).toMatchObject({ status: 'open', filled: 0, price: 90, average: null, closedAt: null })
    expect(await money()).toMatchObject({ balance: 10_000, reserved: 900.54, available: 9099.46, equity: 10_000 })
    const tooMuch = await order({ amount: 91 })
    expect(tooMuch.body.error).toContain('900.54 more are set aside')
    expect((await order({ amount: 90 })).status).toBe(200)
  })

  it('gives it back when it is cancelled, once', async () => {
    const { id } = (await order({ type: 'limit', amount: 10, price: 90 })).body
    const replies = await Promise.all([1, 2, 3].map(() => ask('DELETE', `/api/orders/${id}`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(replies.find(({ status }) => status === 200)!.body).toMatchObject({ id, status: 'cancelled' })
    expect(await money()).toMatchObject({ reserved: 0, available: 10_000 })
    expect((await ask('DELETE', '/api/orders/01890000-0000-7000-8000-000000000000')).status).toBe(404)
  })

  it('fills a limit order that the price has crossed at once, at no worse than its limit', async () => {
    const { body } = await order({ type: 'limit', amount: 10, price: 100.02 })
    expect(body).toMatchObject({ status: 'filled', average: 100.02 })
    expect(await money()).toMatchObject({ reserved: 0 })
  })

  it('to sell sets coins aside, which nothing else sells', async () => {
    await order({ amount: 10 })
    await order({ side: 'sell', type: 'limit', amount: 7, price: 120 })
    const reply = await order({ side: 'sell', amount: 4 })
    expect(reply.body.error).toMatch(/hold 10 BTC, of which 7 are set aside.*Sell at most 3/)
    expect((await order({ side: 'sell', amount: 3 })).status).toBe(200)
  })

  it('is one of at most 200 that are open', async () => {
    const { rows } = await bench.db.pool.query<{ id: string }>(
      `insert into trading.accounts (owner_kind, owner_id, venue, kind, created_at_ms) values ('user', $1, 'scripted', 'virtual', 0) returning id`,
      [me.userId],
    )
    await bench.db.pool.query(
      `insert into trading.ledger_entries (account_id, kind, amount, at_ms) values ($1, 'deposit', 10000, 0)`,
      [rows[0]!.id],
    )
    await bench.db.pool.query(
      `insert into trading.orders (account_id, client_order_id, symbol, side, type, status, quantity, price,
         reserved, source, placed_market_ms, created_at_ms)
       select $1, 'n' || n, 'BTCUSDT', 'buy', 'limit', 'open', 1, 1, 1, 'user', 0, 0 from generate_series(1, 199) n`,
      [rows[0]!.id],
    )
    expect((await order({ type: 'limit', price: 50 })).status).toBe(200)
    expect((await order({ type: 'limit', price: 50 })).body.error).toContain('at most 200 open orders')
    expect((await order({})).status).toBe(200)
  })
})

describe('the list of orders', () => {
  it('is the newest first, of one symbol, account or state where one is named, and as long as asked for', async () => {
    await order({ amount: 1 })
    await order({ amount: 2, symbol: 'ETHUSDT' })
    await order({ amount: 3 })
    expect((await listed()).map((o: { amount: number }) => o.amount)).toEqual([3, 2, 1])
    expect((await listed('?symbol=btcusdt')).map((o: { amount: number }) => o.amount)).toEqual([3, 1])
    expect((await listed('?limit=1')).map((o: { amount: number }) => o.amount)).toEqual([3])
    await order({ type: 'limit', price: 50, amount: 4 })
    const amounts = async (query: string) => (await listed(query)).map((o: { amount: number }) => o.amount)
    expect(await amounts('?state=open&isVirtual=true')).toEqual([4])
    expect(await amounts('?state=ended&isVirtual=true')).toEqual([3, 2, 1])
    expect(await amounts('?isVirtual=false')).toEqual([])
    expect((await ask('GET', '/api/orders?symbol=BTC-USDT')).status).toBe(400)
    expect((await ask('GET', '/api/orders?limit=0')).status).toBe(400)
  })

  it('is saved as CSV, however long, of the own account only', async () => {
    await order({ amount: 2 })
    await bench.db.pool.query(
      `insert into trading.orders (account_id, client_order_id, symbol, side, type, status, quantity, price,
         reserved, source, placed_market_ms, created_at_ms)
       select id, 'csv' || n, 'BTCUSDT', 'buy', 'limit', 'cancelled', n, 1, 0, 'user', 0, 0
       from generate_series(1, 600) n, trading.accounts where owner_id = $1`,
      [me.userId],
    )
    const linesOf = async (query: string, { token } = me) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await bench.app.inject({ url: `/api/orders/export${query}`, headers })).body.trimEnd().split('\r\n')
    }
    const [head, newest, ...others] = await linesOf('')
    expect(head).toMatch(/^placed,money,symbol,side,type,status,reason,amount,filled,/)
    expect(newest).toMatch(/^1970-01-01T00:00:00.000Z,virtual,BTCUSDT,buy,limit,cancelled,,600,0,1,,,0,,user,/)
    expect(others).toHaveLength(600)
    expect(others.at(-1)).toMatch(/,virtual,BTCUSDT,buy,market,filled,,2,2,,,100\.05,0\.12006,,user,/)
    // Nobody but an admin has another account than the virtual one.
    expect(await linesOf('?isVirtual=false')).toHaveLength(602)
    expect(await linesOf('', bench.users.admin)).toEqual([head])
    expect((await ask('GET', '/api/orders/export', undefined, null)).status).toBe(401)
  })
})

it('saves what is held as CSV, with its open stops and targets', async () => {
  await order({ amount: 2, stopLoss: 90, takeProfit: 120 })
  bench.market.prices.set('BTCUSDT', { last: 110, ageMs: 0 })
  const headers = { authorization: `Bearer ${me.token}` }
  const { body } = await bench.app.inject({ url: '/api/positions/export', headers })
  const [head, held, ...others] = body.trimEnd().split('\r\n')
  expect(head).toBe(
    'money,pair,side,quantity,opened_at,entry_price,live_price,worth_usdt,pnl_before_fees_usdt,stop,target',
  )
  // 2 × (110 − 100.05).
  expect(held).toMatch(/^virtual,BTCUSDT,long,2,2\d{3}-[-\dT:.]+Z,100\.05,110,220,19\.9\d*,90,120$/)
  expect(others).toEqual([])
})

describe('a real order', () => {
  it('is refused for an admin and does nothing; for everybody else it is a virtual one', async () => {
    const { admin, manager, owner } = bench.users
    const reply = await order({ isVirtual: false }, admin)
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'unprocessable', 'isVirtual'])
    expect(reply.body.error).toContain('nothing was sent to an exchange')
    expect(await money(admin)).toMatchObject({ balance: 10_000 })
    for (const person of [manager, owner])
      expect((await order({ isVirtual: false }, person)).body).toMatchObject({ isVirtual: true, status: 'filled' })
  })
})

const ROLES = ['user', 'bot_manager', 'admin'] as const

describe('cancelling all orders', () => {
  it('cancels what is open of the own account, for each role, once, and leaves those of others', async () => {
    const theirs = await bench.newcomer()
    await order({ type: 'limit', price: 40 }, theirs)
    for (const role of ROLES) {
      const person = await bench.newcomer(role)
      const limit = await order({ type: 'limit', price: 50 }, person)
      await order({ amount: 1, stopLoss: 90, takeProfit: 120 }, person)
      const { status, body } = await ask('DELETE', '/api/orders', undefined, person)
      expect([status, body.cancelled.length, body.failed]).toEqual([200, 3, []])
      expect(body.cancelled).toContain(limit.body.id)
      const list = (await ask('GET', '/api/orders', undefined, person)).body
      expect(list.filter((one: { status: string }) => one.status === 'open')).toEqual([])
      // The purchase stays; nothing is set aside any more.
      expect((await positions(person)).map(({ quantity }: { quantity: number }) => quantity)).toEqual([1])
      expect((await money(person)).reserved).toBe(0)
      // Again: there is nothing left to cancel, and nothing new is said to be.
      expect((await ask('DELETE', '/api/orders', undefined, person)).body).toEqual({ cancelled: [], failed: [] })
    }
    expect((await ask('GET', '/api/orders', undefined, theirs)).body).toMatchObject([{ status: 'open' }])
  })

  it('answers somebody who has never traded, and cancels the virtual ones of a user who asks for real ones', async () => {
    expect((await ask('DELETE', '/api/orders')).body).toEqual({ cancelled: [], failed: [] })
    const { body } = await order({ type: 'limit', price: 50 })
    expect((await ask('DELETE', '/api/orders?isVirtual=false')).body).toEqual({ cancelled: [body.id], failed: [] })
    expect((await ask('DELETE', '/api/orders?isVirtual=maybe')).status).toBe(400)
  })

  it('sent twice at the same time names each order once', async () => {
    for (const price of [50, 51, 52]) await order({ type: 'limit', price })
    const both = await Promise.all([ask('DELETE', '/api/orders'), ask('DELETE', '/api/orders')])
    expect(both.flatMap(({ body }) => body.failed)).toEqual([])
    expect(both.flatMap(({ body }) => body.cancelled).toSorted()).toEqual(
      (await listed()).map(({ id }: { id: string }) => id).toSorted(),
    )
    const entries = await bench.db.orm.select().from(audit).where(eq(audit.actorId, me.userId))
    expect(entries.filter(({ action }) => action === 'order.cancelled')).toHaveLength(3)
  })
})

describe('changing the stop and the target of a position', () => {
  const guard = (body: object, as: Person | null = me) => ask('PATCH', '/api/positions/guards', body, as)
  const shape = (list: Record<string, unknown>[]) => list.map((one) => [one.type, one.amount, one.stopPrice])

  it('puts one of each over all that is held, in place of those of single purchases', async () => {
    await order({ amount: 2, stopLoss: 90 })
    await order({ amount: 3, stopLoss: 80, takeProfit: 150 })
    const { status, body } = await guard({ symbol: 'BTCUSDT', stopLoss: 95, takeProfit: 120 })
    expect([status, shape(body)]).toEqual([
      200,
      [
        ['stop', 5, 95],
        ['take_profit', 5, 120],
      ],
    ])
    // The same again leaves both as they are.
    const again = await guard({ symbol: 'BTCUSDT', stopLoss: 95, takeProfit: 120 })
    expect(again.body).toEqual(body)
    bench.market.nowMs += 6_000_000
    bench.market.minutes('BTCUSDT', [100, 121, 99, 119])
    await bench.room.watchOrders()
    const ended = (await listed()).filter((one: { id: string }) => body.some(({ id }: { id: string }) => id === one.id))
    expect(ended.map((one: Record<string, unknown>) => [one.type, one.status, one.filled]).toSorted()).toEqual([
      ['stop', 'cancelled', 0],
      ['take_profit', 'filled', 5],
    ])
    expect(await positions()).toEqual([])
  })

  it('takes one away with null, for each role on the own account only', async () => {
    for (const role of ROLES) {
      const person = await bench.newcomer(role)
      await order({ amount: 2, stopLoss: 90, takeProfit: 150 }, person)
      const { body } = await guard({ symbol: 'BTCUSDT', stopLoss: 91, takeProfit: null }, person)
      expect(shape(body)).toEqual([['stop', expect.any(Number), 91]])
      expect((await guard({ symbol: 'BTCUSDT', stopLoss: null, takeProfit: null }, person)).body).toEqual([])
      expect((await positions(person)).length).toBe(1)
    }
    expect(await listed()).toEqual([])
  })

  it.each([
    [{ stopLoss: 101, takeProfit: null }, 'must be below the price of 100', 'stopLoss'],
    [{ stopLoss: null, takeProfit: 99 }, 'must be above the price of 100', 'takeProfit'],
  ])('refuses one on the wrong side of the price, and changes nothing', async (wrong, words, field) => {
    await order({ amount: 2, stopLoss: 90, takeProfit: 150 })
    const before = await listed()
    const { status, body } = await guard({ symbol: 'BTCUSDT', ...wrong })
    expect([status, body.code, body.field]).toEqual([422, 'unprocessable', field])
    expect(body.error).toContain(words)
    expect(await listed()).toEqual(before)
  })

  it('refuses a coin that is not held, and what is no price', async () => {
    const none = await guard({ symbol: 'BTCUSDT', stopLoss: 90, takeProfit: null })
    expect([none.status, none.body.error]).toEqual([
      422,
      'You hold no BTC: a stop-loss and a take profit sell what is held.',
    ])
    for (const body of [{ symbol: 'BTCUSDT' }, { symbol: 'BTCUSDT', stopLoss: -1, takeProfit: null }])
      expect((await guard(body)).status).toBe(400)
  })
})
