import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { aggregateCandles } from '@shapecast/venues/aggregate'
import { randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { type CandleQuery, rangeOf, selectCandles } from '@shapecast/venues/venue'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRADING_MIGRATIONS } from '../../test/support/trading-migrations.ts'
import { importFile } from './import-file.ts'
import { createStoredCandles } from './stored-candles.ts'

const MINUTE = 60_000
const START = Date.UTC(2024, 0, 1)
let folder = ''
folder = mkdtempSync(join(tmpdir(), 'stored-'))
const db = await createTestDatabase([TRADING_MIGRATIONS])
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function put(candles: Candles, symbol: string, timeframe: Timeframe, replace = false): Promise<void> {
  const path = join(folder, 'candles.csv')
  writeFileSync(path, shapecastCsv(candles))
  expect(await importFile({ db }, { path, symbol, timeframe, replace })).toMatchObject({ accepted: true })
}
const naive = (candles: Candles, query: CandleQuery) => {
  const { fromMs, toMs } = rangeOf(query)
  const rows = rowsFromCandles(candles).filter(([ts]) => ts >= fromMs && ts <= toMs)
  return query.limit === undefined ? rows : rows.slice(Math.max(0, rows.length - query.limit))
}

describe('stored candles', () => {
  // 30,000 minutes with a hole of 80 in the middle and a few single ones.
  const whole = randomCandles(30_000, START, '1m')
  const kept = Array.from({ length: whole.length }, (_, i) => i).filter(
    (i) => (i < 15_000 || i >= 15_080) && i % 7_001 !== 5,
  )
  const pick = (column: Float64Array) => Float64Array.from(kept, (i) => column[i]!)
  const minutes: Candles = {
    length: kept.length,
    ts: pick(whole.ts),
    open: pick(whole.open),
    high: pick(whole.high),
    low: pick(whole.low),
    close: pick(whole.close),
    volume: pick(whole.volume),
  }
  beforeAll(() => put(minutes, 'BTCUSDT', '1m'))

  const time = fc.integer({ min: -200, max: 30_200 }).map((minute) => START + minute * MINUTE + (minute % 3))
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const anyQuery = fc.record({
    fromMs: maybe(time),
    toMs: maybe(time),
    beforeMs: maybe(time),
    limit: maybe(fc.integer({ min: 1, max: 20_000 })),
  })

  it.each([
    ['with a cache that holds the series', 256 * 1024 ** 2],
    ['with a cache that holds a part of it', 1024 ** 2],
    ['without a cache', 0],
  ])('are the same as a plain filter over all of them, %s', async (_, cacheBytes) => {
    const stored = createStoredCandles(db, { cacheBytes })
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const found = await stored.candles('replay', 'BTCUSDT', '1m', query)
        expect(rowsFromCandles(found)).toEqual(naive(minutes, query))
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    )
  })

  it.each(['5m', '1h', '4h'] as const)(
    'of %s are made of complete minutes where they are not stored',
    async (timeframe) => {
      const step = TIMEFRAME_MS[timeframe]
      const made = aggregateCandles(minutes, MINUTE, step)
      // No bucket with a missing minute: the hole of 80 minutes costs two hours, each single one costs one.
      if (timeframe === '1h') expect(made.length).toBe(500 - 2 - 5)
      const stored = createStoredCandles(db)
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const found = await stored.candles('replay', 'BTCUSDT', timeframe, query)
          const inRange = selectCandles(made, rangeOf(query), query.limit)
          expect(rowsFromCandles(found)).toEqual(rowsFromCandles(inRange))
        }),
        { numRuns: Number(process.env.RUNS ?? 10) },
      )
    },
  )

  it('are empty for a venue, symbol or smaller timeframe that is not there', async () => {
    const stored = createStoredCandles(db)
    await put(randomCandles(10, START, '1h'), 'ADAUSDT', '1h')
    expect((await stored.candles('binance', 'BTCUSDT', '1m', {})).length).toBe(0)
    expect((await stored.candles('replay', 'XYZUSDT', '1m', {})).length).toBe(0)
    expect((await stored.candles('replay', 'ADAUSDT', '5m', {})).length).toBe(0)
  })

  it('come from a stored timeframe before they are built from a smaller one', async () => {
    const hours = randomCandles(20, START, '1h', 9)
    await put(randomCandles(1200, START, '1m', 8), 'SOLUSDT', '1m')
    await put(hours, 'SOLUSDT', '1h')
    const found = await createStoredCandles(db).candles('replay', 'SOLUSDT', '1h', {})
    expect(rowsFromCandles(found)).toEqual(rowsFromCandles(hours))
  })

  it('are seen at once after another process has added, filled or changed some', async () => {
    const all = randomCandles(300, START, '1h', 3)
    const read = createStoredCandles(db)
    const rows = async () => rowsFromCandles(await read.candles('replay', 'ETHUSDT', '1h', {}))
    await put(sliceCandles(all, 100, 200), 'ETHUSDT', '1h')
    const early = await read.candles('replay', 'ETHUSDT', '1h', {})
    const earlyRows = rowsFromCandles(early)
    await put(sliceCandles(all, 200, 300), 'ETHUSDT', '1h')
    expect(await rows()).toEqual(rowsFromCandles(sliceCandles(all, 100)))
    await put(sliceCandles(all, 0, 100), 'ETHUSDT', '1h')
    expect(await rows()).toEqual(rowsFromCandles(all))
    const changed = { ...all, volume: all.volume.map((v) => v + 1) }
    await put(changed, 'ETHUSDT', '1h', true)
    expect(await rows()).toEqual(rowsFromCandles(changed))
    // What was handed out before is left as it was.
    expect(rowsFromCandles(early)).toEqual(earlyRows)
  })

  it('are read once for many readers at the same time', async () => {
    const read = createStoredCandles(db)
    const found = await Promise.all(
      Array.from({ length: 20 }, () => read.candles('replay', 'BTCUSDT', '1m', { limit: 500 })),
    )
    expect(new Set(found.map((candles) => candles.ts.buffer)).size).toBe(1)
  })

  it('before a given moment are read once, also where that is no open time', async () => {
    const hours = randomCandles(20_000, START, '1h')
    await put(hours, 'LTCUSDT', '1h')
    const read = createStoredCandles(db)
    const before = () => read.candles('replay', 'LTCUSDT', '1h', { toMs: hours.ts[18_000]! - 1, limit: 15_000 })
    const first = await before()
    expect(first.ts[0]).toBe(hours.ts[3000])
    expect((await before()).ts.buffer).toBe(first.ts.buffer)
  })
})
