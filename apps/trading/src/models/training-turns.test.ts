import { afterAll, beforeEach, expect, it } from 'vitest'
import { createServiceBench } from '../../test/support/service-bench.ts'
import type { TrainingRow } from './tables.ts'
import { nextTurn } from './training-turns.ts'

const bench = await createServiceBench()
afterAll(() => bench.close())
beforeEach(() => bench.db.pool.query('delete from trading.trainings'))

let version = 0
const add = (userId: string | null, status: TrainingRow['status'], turn: number) =>
  bench.db.pool.query(
    `insert into trading.trainings (user_id, version, venue, symbol, timeframe, request, status, progress, turn, created_at_ms)
     values ($1, $2, 'replay', 'BTCUSDT', '1h', '{}', $3, '{}', $4, 0)`,
    [userId, `v${version++}`, status, turn],
  )
const turnOf = (userId: string | null) => bench.db.orm.transaction((tx) => nextTurn(tx, userId))

it('begins with the first turn, and joins the one that is being worked on, whatever became of its trainings', async () => {
  const { owner, other } = bench.people
  expect(await turnOf(other.userId)).toBe(0)
  await add(owner.userId, 'completed', 3)
  expect(await turnOf(other.userId)).toBe(3)
  await add(owner.userId, 'running', 4)
  expect(await turnOf(other.userId)).toBe(4)
  await add(owner.userId, 'failed', 5)
  expect(await turnOf(other.userId)).toBe(5)
  // What others wait for, and what nobody waits for any more, is no turn that has begun.
  await add(owner.userId, 'queued', 8)
  await add(owner.userId, 'cancelled', 9)
  await add(other.userId, 'cancelled', 9)
  await add(other.userId, 'completed', 2)
  expect(await turnOf(other.userId)).toBe(5)
})

it('is one after the last that the same user waits for, also where it runs, and where the installation asks', async () => {
  const { owner, other } = bench.people
  await add(owner.userId, 'running', 2)
  await add(owner.userId, 'queued', 3)
  await add(other.userId, 'running', 2)
  await add(null, 'queued', 6)
  expect(await turnOf(owner.userId)).toBe(4)
  expect(await turnOf(other.userId)).toBe(3)
  expect(await turnOf(null)).toBe(7)
})
