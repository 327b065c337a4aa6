import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GIVE_UP_AFTER_MS } from '../src/exchange/order-progress.ts'
import { createRealBench, type RealBench, WIDE_LIMITS } from './support/real-bench.ts'
import { proven } from './support/service-bench.ts'

let bench: RealBench
beforeAll(async () => {
  bench = await createRealBench()
  await bench.room.keys.put(bench.exchange.credentials, bench.users.admin)
  await bench.room.limits.change(WIDE_LIMITS, bench.users.admin, proven)
})
afterAll(() => bench.close())

/** Starts a process that places an order, and kills it (SIGKILL) at that point. */
async function killAt(where: 'before' | 'after', key: string, what = 'market'): Promise<void> {
  const { db, exchange, users } = bench
  const args = [
    what,
    where,
    db.url,
    JSON.stringify(exchange.urls),
    String(exchange.data.last('BTCUSDT')),
    users.admin.userId,
  ]
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/real-process.ts'), ...args, key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const said = await Promise.race([once(child.stdout, 'data').then(String), exited.then(() => 'exited')])
  child.kill('SIGKILL')
  await exited
  expect(said).toBe('there\n')
}
const list = () => bench.room.orders.list(bench.users.admin.userId, { limit: 10 })
const again = (key: string) =>
  bench.room.orders.place(
    { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01, isVirtual: false },
    { member: bench.users.admin, request: { key, hash: `hash of ${key}` } },
  )

it('an order whose process was killed before it was sent is never sent, and ends as not placed', async () => {
  await killAt('before', 'one')
  expect(await list()).toMatchObject([{ status: 'sending' }])
  const [order] = await list()
  expect((await again('one')).id).toBe(order!.id)
  for (const aheadMs of [20_000, GIVE_UP_AFTER_MS, 10 * GIVE_UP_AFTER_MS]) {
    bench.clock.aheadMs = aheadMs
    await bench.room.reconcileOrders()
    expect((await list())[0]!.status).toBe(aheadMs < GIVE_UP_AFTER_MS ? 'sending' : 'not_placed')
  }
  expect(await again('one')).toMatchObject({ id: order!.id, status: 'not_placed' })
  expect(bench.exchange.spot.book.all).toEqual([])
})

it('an order whose process was killed before it heard the reply is found, and exists once', async () => {
  bench.clock.aheadMs = 0
  await killAt('after', 'two')
  expect((await list())[0]).toMatchObject({ status: 'sending' })
  expect((await again('two')).status).toBe('sending')
  bench.clock.aheadMs = 20_000
  await bench.room.reconcileOrders()
  const [order] = await list()
  expect(order).toMatchObject({ status: 'filled', filled: 0.01, fees: [{ asset: 'BTC', amount: 0.00001 }] })
  expect((await again('two')).id).toBe(order!.id)
  expect(bench.exchange.spot.book.all.map((o) => o.clientOrderId)).toEqual([order!.clientOrderId])
})

it.each(['before', 'after'] as const)(
  'a stop-loss whose process was killed %s it was sent stands at last, once',
  async (where) => {
    const { exchange } = bench
    const before = exchange.spot.book.all.length
    bench.clock.aheadMs = 0
    await killAt(where, `stop ${where}`, 'stop')
    const sent = () => exchange.spot.book.all.slice(before)
    expect(sent().map((o) => o.type)).toEqual(where === 'before' ? ['MARKET'] : ['MARKET', 'STOP_LOSS'])
    for (let aheadMs = 20_000; aheadMs < 4 * GIVE_UP_AFTER_MS; aheadMs += 10_000) {
      bench.clock.aheadMs = aheadMs
      await bench.room.reconcileOrders()
    }
    expect(sent().map((o) => [o.type, o.status])).toEqual([
      ['MARKET', 'FILLED'],
      ['STOP_LOSS', 'NEW'],
    ])
    expect(sent()[1]!.qty).toBe(0.00999)
  },
)
