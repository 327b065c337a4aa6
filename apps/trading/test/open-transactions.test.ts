import { setTimeout as wait } from 'node:timers/promises'
import type { LiveTrading } from '@shapecast/venues/live-trading'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assembleRealBots } from './support/assemble-real-bots.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'
import { saying } from './support/real-soak-script.ts'

let bench: RealBotsBench
beforeAll(async () => {
  bench = await createRealBotsBench()
})
afterAll(() => bench?.end())

const SLOW_MS = 50

it('no transaction is open while an exchange or a model is asked for a bot with real money', async () => {
  await bench.fresh()
  const asked = new Map<string, number>()
  /** What is asked, and connections that stood in a transaction meanwhile. */
  const idle: string[] = []
  const look = async (what: string) => {
    await wait(SLOW_MS)
    asked.set(what, (asked.get(what) ?? 0) + 1)
    const { rows } = await bench.db.pool.query<{ query: string }>(
      "select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    )
    idle.push(...rows.map(({ query }) => `${what}: ${query}`))
  }
  bench.between.wrap = (trading) =>
    new Proxy(trading, {
      get(target, name: keyof LiveTrading) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || name === 'close') return value
        return async (...given: unknown[]) => {
          const [said] = await Promise.all([value.apply(target, given), look(`exchange ${name}`)])
          return said
        }
      },
    })
  const room = bench.roomWith({})
  const worker = assembleRealBots({
    db: bench.db,
    venue: 'binance',
    room,
    market: bench.botMarket,
    async forecast({ version }) {
      await look('model')
      return saying(bench.script, version)
    },
    now: () => Date.now() + bench.clock.aheadMs,
  })
  bench.exchange.faults.rest({ times: 10_000, fault: { kind: 'slow', ms: SLOW_MS } })
  const turn = async (signal: 'BUY' | 'HOLD' | 'SELL', price: number) => {
    bench.script.signal = signal
    bench.close(price)
    await worker.rooms.advance()
    bench.clock.aheadMs += 61_000
    await bench.db.locks.alone('real orders', room.reconcileOrders)
  }
  await bench.started({ stopLossPct: 5 }, worker)
  await turn('BUY', 20_000)
  await turn('HOLD', 20_100)
  await turn('SELL', 20_200)
  expect(bench.sent()).toMatchObject([{ side: 'BUY' }, {}, { side: 'SELL' }])
  expect([...asked.keys()]).toEqual(expect.arrayContaining(['model', 'exchange createOrder', 'exchange balances']))
  expect(idle).toEqual([])
  await room.close()
})
