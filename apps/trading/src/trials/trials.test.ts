import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { createServiceBench } from '../../test/support/service-bench.ts'
import { openCandles, openedAt } from './opened.ts'
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

it('counts the points of a search, and of the same search the most that were run', async () => {
  const other = { ...series, symbols: ['DOTUSDT'] }
  const search = (count: number) =>
    countTrials(orm, { userId: ann, series: other, kind: 'search', tried: 'grid', count })
  await search(744)
  await search(1200)
  await search(3)
  expect(await trialsOf(orm, [ann], other)).toEqual({ count: 1200, byKind: { search: 1200 } })
})

it('the trial count says when a run of the same user first reached into a range', async () => {
  const open = (fromMs: number, toMs: number, nowMs: number) =>
    openCandles(orm, { userId: ann, series, fromMs, toMs }, nowMs)
  await open(100, 200, 5)
  await open(100, 200, 9)
  await open(150, 300, 7)
  const at = (fromMs: number, toMs: number, userId = ann) => openedAt(orm, userId, series, { fromMs, toMs })
  expect(await at(201, 250)).toBe(7)
  expect(await at(200, 250)).toBe(5)
  expect([await at(301, 400), await at(0, 99), await at(100, 200, ben)]).toEqual([null, null, null])
  expect(await openedAt(orm, ann, { ...series, timeframe: '4h' }, { fromMs: 100, toMs: 200 })).toBeNull()
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

it('a trial is not counted when its transaction fails', async () => {
  const failed = orm.transaction(async (tx) => {
    await countTrials(tx, { userId: ann, series, kind: 'preview', tried: 1 })
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('refused')
  expect((await trialsOf(orm, [ann], series)).byKind.preview).toBeUndefined()
})
