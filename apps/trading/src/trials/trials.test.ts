import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { countTrials, type TriedSeries, trialsOf } from './trials.ts'

const bench = await createServiceBench()
afterAll(() => bench.close())
const { orm } = bench.db

const [ann, ben] = [randomUUID(), randomUUID()]
const series = { venue: 'test', symbols: ['BTCUSDT'], timeframe: '1h' }
const tries = (userId: string, on: TriedSeries, ...tried: unknown[]) =>
  Promise.all(tried.map((one) => countTrials(orm, { userId, series: on, kind: 'backtest', tried: one })))

it('counts the same once, in whatever order its fields stand, and each kind by itself', async () => {
  await tries(ann, series, { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, { a: 2, b: {} })
  await countTrials(orm, { userId: ann, series, kind: 'training', tried: { a: 2, b: {} } })
  expect(await trialsOf(orm, [ann], series)).toEqual({ count: 3, byKind: { backtest: 2, training: 1 } })
})

it('counts owners apart, and together where both are meant', async () => {
  await tries(ben, series, 1, 2, 3)
  expect((await trialsOf(orm, [ben], series)).count).toBe(3)
  expect((await trialsOf(orm, [ann, ben], series)).count).toBe(6)
  expect(await trialsOf(orm, [randomUUID()], series)).toEqual({ count: 0, byKind: {} })
})

it('counts markets, coins and timeframes apart', async () => {
  for (const other of [{ venue: 'else' }, { symbols: ['ETHUSDT'] }, { timeframe: '4h' }])
    expect((await trialsOf(orm, [ann], { ...series, ...other })).count).toBe(0)
})

it('counts a trial on several coins for each, and shows that with the most', async () => {
  const both = { ...series, symbols: ['BTCUSDT', 'SOLUSDT'] }
  await tries(ben, both, 'of both')
  expect((await trialsOf(orm, [ben], { ...series, symbols: ['SOLUSDT'] })).count).toBe(1)
  expect((await trialsOf(orm, [ben], both)).count).toBe(4)
})

it('is not counted where the transaction around it fails', async () => {
  const failed = orm.transaction(async (tx) => {
    await countTrials(tx, { userId: ann, series, kind: 'preview', tried: 1 })
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect((await trialsOf(orm, [ann], series)).byKind.preview).toBeUndefined()
})
