import type { Order } from '@shapecast/contracts/accounts'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountsBench, MINUTE } from '../../test/support/accounts-bench.ts'
import type { Asked } from './order-service.ts'

let userId = ''
const bench = await createAccountsBench()
afterAll(() => bench.close())
beforeEach(() => {
  userId = crypto.randomUUID()
  bench.said = {}
  // Each test on minutes of its own, at the beginning of an hour.
  bench.market.nowMs = (Math.floor(bench.market.nowMs / (120 * MINUTE)) + 1) * 120 * MINUTE
  bench.market.unreported.clear()
  bench.market.prices.set('BTCUSDT', { last: 100, ageMs: 0 })
})

const asked = (): Asked => ({
  member: { userId, role: 'user', address: 'here' },
  request: null,
})
const draft = { symbol: 'BTCUSDT', isVirtual: true, botId: undefined, price: undefined } as const
const buy = (amount: number, price?: number) => {
  const type = price === undefined ? 'market' : 'limit'
  return bench.room.orders.place({ ...draft, side: 'buy', type, amount, price }, asked())
}
const sell = (amount: number, price?: number) => {
  const type = price === undefined ? 'market' : 'limit'
  return bench.room.orders.place({ ...draft, side: 'sell', type, amount, price }, asked())
}
const guarded = (amount: number, stopLoss: number) => {
  bench.said = { stopLoss }
  const request = { key: crypto.randomUUID(), hash: 'x' }
  return bench.room.autoTrades.trade(
    { symbol: 'BTCUSDT', amount, enableStopLoss: true, timeframe: '1h', isVirtual: true },
    { ...asked(), request },
  )
}
const list = () => bench.room.orders.list(userId, { limit: 100 })
const now = async (id: string): Promise<Order> => (await list()).find((order) => order.id === id)!
const watch = () => bench.room.watchOrders()

describe('an order that waits', () => {
  it('is filled by the first closed candle that reaches it, at its limit, and pays what it had set aside', async () => {
    const { id } = await buy(10, 95)
    bench.market.minutes('BTCUSDT', [100, 101, 95.5, 96], [96, 97, 94, 97])
    await watch()
    const filledAt = bench.market.nowMs
    expect(await now(id)).toMatchObject({ status: 'filled', average: 95, fee: 0.57, filledAtMarketTime: filledAt })
    expect(await bench.room.account.balance(userId)).toMatchObject({ balance: 9049.43, reserved: 0 })
  })

  it('to sell is filled where the high reaches it', async () => {
    await buy(10)
    const { id } = await sell(4, 105)
    bench.market.minutes('BTCUSDT', [100, 104.99, 99, 100])
    await watch()
    expect((await now(id)).status).toBe('open')
    bench.market.minutes('BTCUSDT', [100, 105, 99, 100])
    await watch()
    expect(await now(id)).toMatchObject({ status: 'filled', average: 105 })
    expect(await bench.room.account.positions(userId)).toMatchObject([{ quantity: 6 }])
  })

  it('knows nothing of the candle within which it was placed, though an older order does', async () => {
    const older = await buy(1, 85)
    bench.market.nowMs += 30_000
    const { id } = await buy(1, 90)
    bench.market.nowMs -= 30_000
    bench.market.minutes('BTCUSDT', [100, 100, 80, 100])
    await watch()
    expect([(await now(older.id)).status, (await now(id)).status]).toEqual(['filled', 'open'])
    bench.market.minutes('BTCUSDT', [100, 100, 90, 100])
    await watch()
    expect((await now(id)).status).toBe('filled')
  })

  it('is left alone once it was cancelled', async () => {
    const { id } = await buy(1, 90)
    await bench.room.orders.cancel(id, asked().member)
    bench.market.minutes('BTCUSDT', [100, 100, 80, 100])
    await watch()
    expect((await now(id)).status).toBe('cancelled')
  })
})

describe('an order that is cancelled while its candle is looked at', () => {
  it('stays cancelled, and nothing is bought', async () => {
    const { id } = await buy(1, 90)
    bench.market.minutes('BTCUSDT', [100, 100, 80, 100])
    const { candles } = bench.market
    bench.market.candles = async (...range) => {
      bench.market.candles = candles
      await bench.room.orders.cancel(id, asked().member)
      return candles(...range)
    }
    await watch()
    expect((await now(id)).status).toBe('cancelled')
    expect(await bench.room.account.balance(userId)).toMatchObject({ balance: 10_000, reserved: 0 })
  })
})

describe('a stop-loss', () => {
  it('at 95 sells at 94.9525 in the minute whose low reaches it, once, though four watch at once', async () => {
    const { stopOrder } = await guarded(2, 95)
    bench.market.minutes('BTCUSDT', [100, 100, 95, 99], [99, 99, 94, 98])
    const others = [bench.anotherRoom(), bench.anotherRoom(), bench.anotherRoom()]
    await Promise.all([watch(), ...others.map((room) => room.watchOrders())])
    await watch()
    const stop = await now(stopOrder!.id)
    expect(stop).toMatchObject({ status: 'filled', filled: 2 })
    expect(stop.average).toBeCloseTo(94.9525, 10)
    expect(stop.pnl).toBeCloseTo(2 * (94.9525 - 100.05), 8)
    expect(stop.filledAtMarketTime).toBe(bench.market.nowMs - MINUTE)
    expect((await list()).filter((o) => o.side === 'sell')).toHaveLength(1)
    expect(await bench.room.account.positions(userId)).toEqual([])
  })

  it('sells at the open where the market gaps through it', async () => {
    const { stopOrder } = await guarded(2, 95)
    bench.market.minutes('BTCUSDT', [90, 92, 88, 91])
    await watch()
    expect((await now(stopOrder!.id)).average).toBeCloseTo(90 * 0.9995, 10)
  })

  it('acts on the candles that closed while nobody watched, in their order, by the process that comes back', async () => {
    const { stopOrder } = await guarded(2, 95)
    const late = await buy(1, 80)
    const rows = Array.from({ length: 300 }, (): [number, number, number, number] => [100, 100, 99, 100])
    rows[120] = [100, 100, 94, 100]
    rows[200] = [80, 81, 70, 81]
    const from = bench.market.nowMs
    bench.market.minutes('BTCUSDT', ...rows)
    await bench.anotherRoom().watchOrders()
    // The later crash found the stop done: it sold at 95, not at the open of 80.
    expect((await now(stopOrder!.id)).average).toBeCloseTo(94.9525, 10)
    expect((await now(stopOrder!.id)).filledAtMarketTime).toBe(from + 121 * MINUTE)
    expect(await now(late.id)).toMatchObject({ status: 'filled', filledAtMarketTime: from + 201 * MINUTE })
  })

  it('fills an order that could not be filled by the same candle later, not by a newer one', async () => {
    const { stopOrder } = await guarded(2, 95)
    const { id } = await buy(1, 94)
    const from = bench.market.nowMs
    bench.market.minutes('BTCUSDT', [100, 100, 94, 100], [90, 92, 80, 90])
    bench.market.prices.set('BTCUSDT', { last: 80, ageMs: 0 })
    const { transaction } = bench.db.orm
    bench.db.orm.transaction = () => {
      bench.db.orm.transaction = transaction
      return Promise.reject(new Error('the database went away'))
    }
    await watch()
    expect([(await now(stopOrder!.id)).status, (await now(id)).status]).toEqual(['open', 'filled'])
    await watch()
    const stop = await now(stopOrder!.id)
    expect(stop.average).toBeCloseTo(94.9525, 10)
    expect(stop.filledAtMarketTime).toBe(from + MINUTE)
  })

  it('waits for candles that the venue has not told yet, and then takes them first', async () => {
    const { stopOrder } = await guarded(2, 95)
    const from = bench.market.nowMs
    bench.market.minutes('BTCUSDT', [100, 100, 99, 100], [100, 100, 94, 100], [90, 100, 80, 100])
    bench.market.unreported.add(from + MINUTE)
    await watch()
    expect((await now(stopOrder!.id)).status).toBe('open')
    bench.market.unreported.clear()
    await watch()
    expect((await now(stopOrder!.id)).average).toBeCloseTo(94.9525, 10)
  })

  it('acts at once on the candles before one that the venue has not told yet', async () => {
    const { stopOrder } = await guarded(2, 95)
    const from = bench.market.nowMs
    bench.market.minutes('BTCUSDT', [100, 100, 94, 100], [100, 100, 99, 100], [100, 100, 99, 100])
    bench.market.unreported.add(from + MINUTE)
    await watch()
    expect(await now(stopOrder!.id)).toMatchObject({ status: 'filled', filledAtMarketTime: from + MINUTE })
  })

  it('acts in a replay that was begun again, though its time has been looked at once before', async () => {
    const { stopOrder } = await guarded(2, 95)
    await bench.db.pool.query(
      `insert into trading.watched_symbols values ('scripted', 'BTCUSDT', $1)
       on conflict (venue, symbol) do update set checked_until_ms = $1`,
      [bench.market.nowMs + 24 * 60 * MINUTE],
    )
    bench.market.minutes('BTCUSDT', [100, 100, 94, 100])
    await watch()
    expect((await now(stopOrder!.id)).status).toBe('filled')
  })

  it('acts in a replay on the finest candles that there are: of hours where there are none of minutes', async () => {
    const { stopOrder } = await guarded(2, 95)
    const from = bench.market.nowMs
    bench.market.minutes('BTCUSDT', [100, 100, 94, 99])
    bench.market.nowMs = from + 60 * MINUTE
    const { kind, newest, candles } = bench.market
    const finest = (timeframe: string) => timeframe === '1h'
    const nothing = { fromMs: 0, toMs: 0 }
    Object.assign(bench.market, {
      kind: 'replay',
      newest: (symbol, timeframe) =>
        finest(timeframe)
          ? candles(symbol, timeframe, { fromMs: from, toMs: from })
          : candles(symbol, timeframe, nothing),
      candles: (symbol, timeframe, range) => candles(symbol, timeframe, finest(timeframe) ? range : nothing),
    } satisfies Partial<typeof bench.market>)
    await watch()
    Object.assign(bench.market, { kind, newest, candles })
    expect(await now(stopOrder!.id)).toMatchObject({ status: 'filled', filledAtMarketTime: from + 60 * MINUTE })
  })

  it('acts on the price of the moment too, between two closes', async () => {
    const { stopOrder } = await guarded(2, 95)
    bench.market.nowMs += 20_000
    bench.market.prices.set('BTCUSDT', { last: 93, ageMs: 0 })
    await watch()
    expect((await now(stopOrder!.id)).average).toBeCloseTo(93 * 0.9995, 10)
  })

  it('does not act on a stale price', async () => {
    const { stopOrder } = await guarded(2, 95)
    bench.market.nowMs += 200_000
    bench.market.prices.set('BTCUSDT', { last: 93, ageMs: 61_000 })
    await watch()
    expect((await now(stopOrder!.id)).status).toBe('open')
  })

  it('goes before a limit sale of the same coins, which gives way', async () => {
    const { stopOrder } = await guarded(2, 95)
    const sale = await sell(2, 120)
    bench.market.minutes('BTCUSDT', [100, 125, 94, 99])
    await watch()
    expect((await now(stopOrder!.id)).status).toBe('filled')
    expect(await now(sale.id)).toMatchObject({
      status: 'cancelled',
      statusReason: 'Its coins were sold by a stop-loss or take profit.',
    })
    expect(await bench.room.account.positions(userId)).toEqual([])
  })

  it('leaves limit sales alone that want other coins', async () => {
    await buy(2)
    const { stopOrder } = await guarded(2, 95)
    const newer = [await sell(1, 120), await sell(1, 120)]
    bench.market.minutes('BTCUSDT', [100, 100, 94, 99])
    await watch()
    expect((await now(stopOrder!.id)).status).toBe('filled')
    for (const { id } of newer) expect((await now(id)).status).toBe('open')
  })

  it('never sells more than is held: of two for 2 each, 3 sold, one is made smaller and one is cancelled', async () => {
    const first = await guarded(2, 90)
    const second = await guarded(2, 95)
    expect(await bench.room.account.positions(userId)).toMatchObject([{ quantity: 4, stopLoss: 95 }])
    await sell(3)
    expect(await now(second.stopOrder!.id)).toMatchObject({ status: 'open', amount: 1 })
    expect(await now(first.stopOrder!.id)).toMatchObject({ status: 'cancelled' })
    bench.market.minutes('BTCUSDT', [94, 94, 80, 85])
    await watch()
    expect(await now(second.stopOrder!.id)).toMatchObject({ status: 'filled', filled: 1 })
  })

  it('stays as it is where enough is left for it: of two for 2 each, 1 sold, the older is made smaller, then goes', async () => {
    const older = await guarded(2, 90)
    const newer = await guarded(2, 95)
    await sell(1)
    expect(await now(newer.stopOrder!.id)).toMatchObject({ status: 'open', amount: 2, statusReason: null })
    expect(await now(older.stopOrder!.id)).toMatchObject({ status: 'open', amount: 1 })
    await sell(1)
    expect(await now(newer.stopOrder!.id)).toMatchObject({ status: 'open', amount: 2, statusReason: null })
    expect((await now(older.stopOrder!.id)).status).toBe('cancelled')
  })

  it('may be cancelled by its owner', async () => {
    const { stopOrder } = await guarded(2, 95)
    await bench.room.orders.cancel(stopOrder!.id, asked().member)
    bench.market.minutes('BTCUSDT', [94, 94, 80, 85])
    await watch()
    expect(await bench.room.account.positions(userId)).toMatchObject([{ quantity: 2, stopLoss: null }])
  })
})

describe('whatever is done', () => {
  it('the ledger sums up to start + Σ pnl − Σ fees − cost of what is held, and nobody has less than nothing', async () => {
    const amount = fc.integer({ min: 1, max: 60 }).map((n) => n / 2)
    const action = fc.oneof(
      fc.record({ do: fc.constantFrom('buy', 'sell', 'guard', 'limit buy', 'limit sell'), amount }),
      fc.record({ do: fc.constant('minute'), amount: fc.integer({ min: -12, max: 12 }) }),
      fc.record({ do: fc.constant('cancel'), amount: fc.nat(5) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 40 }), async (actions) => {
        userId = crypto.randomUUID()
        let price = 100
        bench.market.prices.set('BTCUSDT', { last: price, ageMs: 0 })
        for (const { do: what, amount: n } of actions) {
          const done = async () => {
            if (what === 'buy') await buy(n)
            else if (what === 'sell') await sell(n)
            else if (what === 'guard') await guarded(n, price - 4)
            else if (what === 'limit buy') await buy(n, price - 3)
            else if (what === 'limit sell') await sell(n, price + 3)
            else if (what === 'cancel') {
              const open = (await list()).filter(({ status }) => status === 'open')[n]
              if (open !== undefined) await bench.room.orders.cancel(open.id, asked().member)
            } else {
              const to = Math.max(20, price + n)
              bench.market.minutes('BTCUSDT', [price, Math.max(price, to) + 1, Math.min(price, to) - 1, to])
              price = to
              await watch()
            }
          }
          await done().catch((error: { code?: string }) => {
            if (error.code !== 'insufficient_funds' && error.code !== 'unprocessable') throw error
          })
          await check()
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 5) },
    )
  })
})

/** The ledger of this user, added up by the database. */
async function check(): Promise<void> {
  const { rows } = await bench.db.pool.query<Record<string, string | null>>(
    `select (select sum(amount) from trading.ledger_entries where account_id = a.id) as balance,
       10000::numeric(38, 8) + coalesce((select sum(coalesce(pnl, 0) - fee) from trading.fills where account_id = a.id), 0)
         - coalesce((select sum(cost) from trading.positions where account_id = a.id), 0) as expected,
       coalesce((select sum(reserved) from trading.orders where account_id = a.id and status = 'open'), 0) as reserved,
       coalesce((select sum(quantity) from trading.positions where account_id = a.id), 0) as held,
       coalesce((select sum(case side when 'buy' then quantity else -quantity end) from trading.orders
         where account_id = a.id and status = 'filled'), 0) as traded,
       coalesce((select sum(quantity) from trading.orders where account_id = a.id and status = 'open'
         and type = 'limit' and side = 'sell'), 0) as aside,
       coalesce((select sum(quantity) from trading.orders where account_id = a.id and status = 'open'
         and type = 'stop'), 0) as guarded
     from trading.accounts a where owner_id = $1`,
    [userId],
  )
  const [found] = rows
  if (found === undefined) return
  const n = (name: string) => Number(found[name])
  expect(found.balance).toBe(found.expected)
  expect(n('held')).toBe(n('traded'))
  expect(n('balance') - n('reserved')).toBeGreaterThanOrEqual(0)
  expect(n('held')).toBeGreaterThanOrEqual(0)
  expect(n('aside')).toBeLessThanOrEqual(n('held'))
  expect(n('guarded')).toBeLessThanOrEqual(n('held'))
}
