import { randomUUID } from 'node:crypto'
import { candlesFromRows } from '@shapecast/engine/candles'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import { createForecastStore, type KeptForecasts } from './forecast-store.ts'

let bench: ServiceBench
beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())

const runOf = (length: number) => candlesFromRows(Array.from({ length }, (_, i) => [i, 1, 1, 1, 1, 1]))
const keptOf = (length: number, hash: string): KeptForecasts => ({
  history: 7,
  candlesHash: hash,
  seen: { from: 1, to: 2, basis: 'trained' },
  forecasts: {
    signal: Int8Array.from({ length }, (_, i) => (i % 3) - 1),
    confidence: Float64Array.from({ length }, (_, i) => (i === 0 ? Number.NaN : i / length)),
    edgeBps: Float64Array.from({ length }, (_, i) => -i),
    nextClose: Float64Array.from({ length }, (_, i) => i + 0.1),
    volatility: Float64Array.from({ length }, (_, i) => i / 7),
    pUp: Float64Array.from({ length }, (_, i) => i / 9),
    medians: [1, 2].map((h) => Float64Array.from({ length }, (_, i) => i + h)),
  },
})

it('kept forecasts of an artifact and a range come back to the bit; the newest where a range was kept twice', async () => {
  const store = createForecastStore(bench.db)
  const artifact = randomUUID()
  expect(await store.find(artifact, runOf(5), 0)).toBeUndefined()
  await store.put(artifact, runOf(5), keptOf(5, 'a'), 0)
  expect(await store.find(artifact, runOf(5), 0)).toEqual(keptOf(5, 'a'))
  expect(await store.find(artifact, runOf(4), 0)).toBeUndefined()
  expect(await store.find(randomUUID(), runOf(5), 0)).toBeUndefined()
  await store.put(artifact, runOf(5), keptOf(5, 'b'), 0)
  expect((await store.find(artifact, runOf(5), 0))?.candlesHash).toBe('b')
})

it('finds nothing in what was kept before medians were', async () => {
  const store = createForecastStore(bench.db)
  const artifact = randomUUID()
  await store.put(artifact, runOf(5), keptOf(5, 'a'), 0)
  await bench.db.pool.query('update trading.backtest_forecasts set columns = $1 where artifact_id = $2', [
    Buffer.alloc(33 * 5),
    artifact,
  ])
  expect(await store.find(artifact, runOf(5), 0)).toBeUndefined()
})

it('holds so many bytes, of two medians 57 a candle: what was used least lately goes first', async () => {
  await bench.db.pool.query('delete from trading.backtest_forecasts')
  const store = createForecastStore(bench.db, 3 * 57 * 10)
  const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  for (const [k, id] of [a, b, c].entries()) await store.put(id, runOf(10), keptOf(10, 'x'), k)
  await store.find(a, runOf(10), 100_000)
  await store.put(d, runOf(10), keptOf(10, 'x'), 100_001)
  const left = await Promise.all([a, b, c, d].map((id) => store.find(id, runOf(10), 100_002)))
  expect(left.map((row) => row !== undefined)).toEqual([true, false, true, true])
})
