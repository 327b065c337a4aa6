import { createRandom } from '@shapecast/engine/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GIVE_UP_AFTER_MS } from './real/order-progress.ts'
import { createRealBench, type RealBench, WIDE_LIMITS } from './testing/real-bench.ts'

let bench: RealBench
beforeAll(async () => {
  bench = await createRealBench()
  await bench.room.keys.put(bench.exchange.credentials, bench.people.admin, 'test')
  await bench.room.limits.change(WIDE_LIMITS, bench.people.admin, 'test')
})
afterAll(() => bench.close())

const KINDS = [
  { kind: 'lose-reply' },
  { kind: 'drop' },
  { kind: 'unknown-outcome' },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 400, body: '{"code":-1013,"msg":"Filter failure: PERCENT_PRICE_BY_SIDE"}' },
] as const

it('trading through many faults loses and doubles no order, and touches nobody else’s coins', async () => {
  const { exchange, clock, people } = bench
  const { next: random } = createRandom(11)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const price = exchange.data.last('BTCUSDT')!
  const low = Math.floor(price * 0.97)
  const { book, balances } = exchange.spot
  const untouched = () => {
    const guarded = book.open().reduce((sum, o) => sum + (o.side === 'SELL' ? o.qty - o.filled : 0), 0)
    expect(balances.get('BTC')! - guarded).toBeGreaterThan(1 - 1e-9)
  }
  for (let step = 0; step < 40; step++) {
    exchange.faults.clear()
    const faults = Math.floor(random() * 3)
    for (let i = 0; i < faults; i++)
      exchange.faults.rest({
        at: pick([/POST .*order/, /DELETE .*order/, /GET .*order/, /myTrades/]),
        fault: pick(KINDS),
      })
    if (random() < 0.2) exchange.faults.partialFills.push(0.5)
    if (random() < 0.1) book.match('BTCUSDT', { low: low - 1, high: price })
    bench.said = { signal: random() < 0.5 ? 'BUY' : 'SELL', stopLoss: low }
    const keys = random() < 0.3 ? [`${step} a`, `${step} b`] : [`${step}`]
    const body = { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, enableStopLoss: random() < 0.7 }
    await Promise.all(
      [...keys, keys[0]!].map((key) => bench.ask('POST', '/api/ml/auto-trade', body, people.admin, key)),
    )
    untouched()
    clock.aheadMs += pick([1_000, 20_000, GIVE_UP_AFTER_MS])
    await bench.room.reconcileOrders()
    untouched()
  }
  exchange.faults.clear()
  for (let i = 0; i < 12; i++) {
    clock.aheadMs += 2 * GIVE_UP_AFTER_MS
    await bench.room.reconcileOrders()
    untouched()
  }

  const ours = await bench.room.orderDesk.list(people.admin.userId, { limit: 1_000 })
  const theirs = new Map(book.all.map((order) => [order.clientOrderId, order]))
  expect(theirs.size).toBe(book.all.length)
  expect(theirs.size).toBeGreaterThan(10)
  const states = { NEW: 'open', PARTIALLY_FILLED: 'open', FILLED: 'filled', CANCELED: 'cancelled', EXPIRED: 'expired' }
  for (const order of ours) {
    const at = theirs.get(order.clientOrderId)
    theirs.delete(order.clientOrderId)
    if (at === undefined) expect(['rejected', 'not_placed']).toContain(order.status)
    else expect([order.status, order.filled]).toEqual([states[at.status], at.filled])
    const fees = at?.fills.reduce((sum, { commission }) => sum + commission, 0) ?? 0
    expect(order.fees!.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(fees, 6)
  }
  // Everything at the exchange is known here.
  expect(theirs.size).toBe(0)

  // What was bought with a stop and is still here is guarded, to the lot of every purchase.
  const { rows } = await bench.db.pool.query<{ reason: string }>(
    'select status_reason as reason from trading.real_orders where next_guard_ms is not null and status_reason is not null and filled > 0',
  )
  expect(rows).toEqual([])
}, 300_000)
