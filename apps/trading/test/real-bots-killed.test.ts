import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServiceBench, type ServiceBench } from './support/service-bench.ts'
import { soakRealBots } from './support/soak-real-bots.ts'

let bench: ServiceBench
beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())

it('bots with real money, taken on by two processes that are killed again and again, lose and double nothing', async () => {
  const { wrong, kills, orders } = await soakRealBots({ db: bench.db, seed: 3, closes: 6, kills: 2 })
  expect(wrong).toEqual([])
  expect(kills).toBeGreaterThanOrEqual(2)
  expect(orders).toBeGreaterThan(3)
})
