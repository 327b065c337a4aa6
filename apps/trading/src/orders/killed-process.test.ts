import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { afterAll, expect, it } from 'vitest'
import { saying } from '../../test/support/accounts-bench.ts'
import { openAccounts } from '../../test/support/open-accounts.ts'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { simulatedMarket } from '../../test/support/simulated-market.ts'
import { restingFill } from './paper/paper-fills.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2025, 5, 1, 12)
const LATER = NOW + 2 * 1440 * MINUTE
const children: ChildProcess[] = []
const bench = await createServiceBench()
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await bench.close()
})

const roomAt = (nowMs: number, stopLoss = 1) =>
  openAccounts({
    db: bench.db,
    market: simulatedMarket(() => nowMs),
    predict: async () => saying(nowMs, { stopLoss }),
    log: silentLogger(),
    now: Date.now,
  })

const HOLD_KEY = 7

/**
 * Starts a process and kills it in the middle of the transaction of a fill: the first one at which `sql` counts so many
 * before it, where the database holds it.
 */
async function killAt(least: number, sql: string, args: string[]): Promise<void> {
  const { pool } = bench.db
  const holder = await pool.connect()
  await holder.query('select pg_advisory_lock($1)', [HOLD_KEY])
  await holder.query(`create or replace function trading.hold() returns trigger language plpgsql as $$
    begin
      if (select n from (${sql}) as counted) >= ${least} then perform pg_advisory_xact_lock(${HOLD_KEY}); end if;
      return new;
    end $$`)
  await holder.query(`create or replace trigger hold before insert on trading.fills
    for each row execute function trading.hold()`)
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../test/support/accounts-process.ts'), ...args],
    {
      stdio: 'inherit',
    },
  )
  children.push(child)
  const exited = once(child, 'exit')
  await eventually(async () => expect(await waitingForLocks(pool, 'advisory')).toHaveLength(1))
  child.kill('SIGKILL')
  expect((await exited)[1]).toBe('SIGKILL')
  await holder.query('drop trigger hold on trading.fills')
  await holder.query('select pg_advisory_unlock($1)', [HOLD_KEY])
  holder.release()
}

it('orders whose process was killed among them exist once each when all of them are sent again', async () => {
  const userId = crypto.randomUUID()
  const count = 60
  const filled = 'select count(*)::int as n from trading.fills'
  for (const least of [10, 30])
    await killAt(least, filled, ['orders', bench.db.url, String(NOW), userId, String(count)])
  const { rows: before } = await bench.db.pool.query<{ n: number }>(filled)
  expect(before[0]!.n).toBeLessThan(count)

  const room = roomAt(NOW)
  for (let i = 0; i < count; i++)
    await room.orders.place(
      { symbol: 'BTCUSDT', side: i % 3 === 2 ? 'sell' : 'buy', type: 'market', amount: 0.001, isVirtual: true },
      { member: { userId, role: 'user', address: 'test' }, request: { key: `key-${i}`, hash: `hash-${i}` } },
    )
  const orders = await room.orders.list(userId, { limit: 1000 })
  expect(orders.map(({ side, status }) => `${side} ${status}`).sort()).toEqual([
    ...Array(40).fill('buy filled'),
    ...Array(20).fill('sell filled'),
  ])
  const [position] = await room.account.positions(userId)
  expect(position!.quantity).toBe(0.02)
  const { balance, realisedPnl, fees } = await room.account.balance(userId)
  expect(balance).toBeCloseTo(10_000 + realisedPnl! - fees! - position!.cost!, 8)
})

it('stops whose watcher was killed again and again are filled once each, where the candles say', async () => {
  const users = Array.from({ length: 20 }, () => crypto.randomUUID())
  const { last } = await simulatedMarket(() => NOW).ticker('BTCUSDT')
  const stops = new Map<string, number>()
  const open = async (userId: string, i: number) => {
    const stopLoss = last * (1 - 0.001 * (i + 1))
    stops.set(userId, stopLoss)
    await roomAt(NOW, stopLoss).autoTrades.trade(
      { symbol: 'BTCUSDT', amount: 0.01, enableStopLoss: true, timeframe: '1h', isVirtual: true },
      { member: { userId, role: 'user', address: 'test' }, request: null },
    )
  }
  await Promise.all(users.map(open))
  const filled = `select count(*)::int as n from trading.fills f
    join trading.orders o on o.id = f.order_id where o.type = 'stop'`
  for (const least of [1, 8]) await killAt(least, filled, ['watch', bench.db.url, String(LATER)])
  await roomAt(LATER).watchOrders()

  const candles = await simulatedMarket(() => LATER).candles('BTCUSDT', '1m', { fromMs: NOW, toMs: LATER - MINUTE })
  let touched = 0
  const check = async (userId: string) => {
    const stop = { side: 'sell', type: 'stop', price: stops.get(userId)! } as const
    const at = [...candles.low].findIndex((_, i) => restingFill(stop, candles, i) !== null)
    const orders = await roomAt(LATER).orders.list(userId, { limit: 10 })
    expect(orders).toHaveLength(2)
    const order = orders.find(({ type }) => type === 'stop')
    if (at === -1) expect(order).toMatchObject({ status: 'open' })
    else {
      touched++
      const { price } = restingFill(stop, candles, at)!
      expect(order).toMatchObject({ status: 'filled', average: price, filledAtMarketTime: candles.ts[at]! + MINUTE })
    }
  }
  await Promise.all(users.map(check))
  expect(touched).toBeGreaterThan(15)
})
