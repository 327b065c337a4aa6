import { randomUUID } from 'node:crypto'
import { audit } from '@shapecast/platform/tables'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createRealBench, type RealBench, WIDE_LIMITS } from './real-bench.ts'
import type { Person } from './service-bench.ts'

/** What there is and who acts, made again before each test. */
export let bench: RealBench
export let admin: Person
/** Orders at the exchange that came since the test began. */
export let sent: () => RealBench['exchange']['spot']['book']['all']

/** The hooks of a file of tests about real orders: an exchange for all of it, an admin with a key for each test. */
export function openRealScene(venue: 'binance' | 'bybit' = 'binance'): void {
  beforeAll(async () => {
    bench = await createRealBench(venue)
  })
  afterAll(() => bench.close())
  beforeEach(async () => {
    const { exchange } = bench
    admin = await bench.signIn(randomUUID(), 'admin')
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
    await bench.db.pool.query(`update trading.orders set next_look_ms = null, next_guard_ms = null,
      status = case when status in ('sending', 'open') then 'cancelled' else status end`)
    exchange.faults.clear()
    exchange.skewMs = 0
    for (const order of exchange.spot.book.open()) exchange.spot.book.cancel(order)
    bench.clock.aheadMs = 0
    bench.between.wrap = (trading) => trading
  })
}

export const keys = (over: object = {}, as = admin) =>
  bench.ask('POST', '/api/accounts/keys', { ...bench.exchange.credentials, ...over }, as)
export const limit = (to: object, as = admin) => bench.ask('PATCH', '/api/accounts/limits', to, as)
export const order = (over: object = {}, key?: string, as = admin) =>
  bench.ask(
    'POST',
    '/api/order',
    { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false, ...over },
    as,
    key,
  )
export const list = async (as = admin) => (await bench.ask('GET', '/api/orders', undefined, as)).body
export const only = async () => {
  const all = await list()
  expect(all).toHaveLength(1)
  return all[0]
}
export const price = () => bench.exchange.data.last('BTCUSDT')!
export const fault = (at: RegExp, kind: Parameters<RealBench['exchange']['faults']['rest']>[0]['fault'], times = 1) =>
  bench.exchange.faults.rest({ at, fault: kind, times })
/** As the worker does, once enough time has passed. */
export const later = async (aheadMs: number, room = bench.room) => {
  bench.clock.aheadMs += aheadMs
  await room.reconcileOrders()
}
/** What was written down of an order: what was asked and heard, and the audit of it. */
export const written = async (id: string) => {
  const { rows } = await bench.db.pool.query<{ what: string; code: string | null }>(
    "select what, said ->> 'code' as code from trading.order_events where order_id = $1 order by id",
    [id],
  )
  const audited = (await bench.db.orm.select().from(audit).orderBy(audit.id)).filter((a) => a.subjectId === id)
  return [rows.map(({ what, code }) => (code === null ? what : `${what}: ${code}`)), audited.map((a) => a.action)]
}
export const cancel = (id: string) => bench.ask('DELETE', `/api/orders/${id}`, undefined, admin)
export const waiting = async () => (await order({ type: 'limit', price: Math.floor(price() - 1_000) })).body
