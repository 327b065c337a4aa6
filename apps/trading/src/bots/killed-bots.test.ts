import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import { soakBots } from '../../test/support/soak-bots.ts'

let bench: ServiceBench
beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())

it('thirty-five kinds of bots, decided by two processes that are killed again and again, end with the trades of their backtests', async () => {
  const { wrong, kills, trades, closes } = await soakBots({ db: bench.db, seed: 5, closes: 8, kills: 2 })
  expect(wrong).toEqual([])
  expect([kills, closes]).toEqual([2, 8])
  expect(trades).toBeGreaterThan(30)
})
