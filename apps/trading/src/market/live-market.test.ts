import { rowsFromCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, weekOfMinutes } from '@shapecast/venues/testing/open-local-venue'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openCutDatabase } from '../../test/support/cut-database.ts'
import { TRADING_MIGRATIONS } from '../../test/support/trading-migrations.ts'
import { createCandleFiller } from './fill-candles.ts'
import { keepGaps, knownGapsOf } from './gaps.ts'
import { createLiveMarket } from './live-market.ts'
import { registerMarketRoutes } from './routes.ts'
import { createStoredCandles } from './stored-candles.ts'
import { candlesOf, writeCandles } from './write-candles.ts'

const HOUR = 60 * MINUTE_MS
/** The exchange's clock stands ten seconds into the 3,000th minute: 50 hours. */
const NOW = SERIES_START_MS + 3000 * MINUTE_MS + 10_000
const week = weekOfMinutes()
let db: Database
let local: Awaited<ReturnType<typeof openLocalVenue>>
const open: FastifyInstance[] = []

beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
  local = await openLocalVenue({ series: week })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()))
  await local.close()
  await db.close()
})

const marketOf = () =>
  createLiveMarket({ source: local.venue, db, stored: createStoredCandles(db), log: silentLogger(), now: Date.now })
const asked = (what: RegExp) => local.exchange.requests.filter(({ name }) => what.test(name)).length
const unused = () => Promise.reject(new Error('not of this test'))
async function serve(market = marketOf()) {
  const fastify = createHttp(silentLogger())
  open.push(fastify)
  const sessions = {
    verify: unused,
    issue: unused,
    end: unused,
    endOthers: unused,
    requireProof: unused,
    endAll: unused,
    whenEnded: () => () => {},
  }
  const app = { name: 'trading' as const, fastify, sessions, registered: new Set<never>() }
  registerMarketRoutes(app, { db, venue: market, testnet: true, downloads: { request: unused, read: unused } })
  return fastify
}

it('answers a hundred readers at once with the exchange asked once, and later ones without asking', async () => {
  const app = await serve()
  const read = () => app.inject('/public/ohlcv/BTCUSDT?timeframe=1m&limit=200')
  const replies = await Promise.all(Array.from({ length: 100 }, read))
  const rows = replies[0]!.json().data
  expect(rows).toEqual(rowsFromCandles(week.BTCUSDT!).slice(2800, 3000))
  expect(new Set(replies.map((reply) => reply.body)).size).toBe(1)
  expect(asked(/klines/)).toBe(1)
  const market = marketOf()
  expect((await market.candles('BTCUSDT', '1m', { limit: 150 })).length).toBe(150)
  expect(asked(/klines/)).toBe(1)
  // Only what is missing is fetched: the 100 before.
  await market.candles('BTCUSDT', '1m', { limit: 300 })
  expect(asked(/klines/)).toBe(2)
})

it('looks the series up once for a read of what is stored', async () => {
  const counted = await openCutDatabase(db)
  const market = createLiveMarket({
    source: local.venue,
    db: counted,
    stored: createStoredCandles(counted),
    log: silentLogger(),
    now: Date.now,
  })
  await market.candles('BTCUSDT', '1m', { limit: 200 })
  await market.candles('BTCUSDT', '1m', { limit: 200 })
  counted.cutAt(0, 'before')
  expect((await market.candles('BTCUSDT', '1m', { limit: 200 })).length).toBe(200)
  expect(counted.asked()).toBe(1)
  await counted.close()
})

it('public candles have an ETag and cache lifetimes, and a matching ETag is answered with 304', async () => {
  const app = await serve()
  const fromMs = Date.now()
  const url = '/public/ohlcv/BTCUSDT?timeframe=1h&limit=10'
  const first = await app.inject(url)
  expect(first.headers['cache-control']).toBe('public, max-age=2, stale-while-revalidate=240')
  const { etag } = first.headers
  const again = await app.inject({ url, headers: { 'if-none-match': `W/${etag}, "other"` } })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  expect((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
  const markets = await app.inject('/public/markets')
  expect(markets.headers['cache-control']).toBe('public, max-age=2, stale-while-revalidate=3600')
  const modifiedMs = Date.parse(String(markets.headers['last-modified']))
  // In whole seconds, as HTTP has it.
  expect(modifiedMs).toBeGreaterThan(fromMs - 1_000)
  expect(modifiedMs).toBeLessThanOrEqual(Date.now())
  const ticker = await app.inject('/public/ticker/BTCUSDT')
  expect(ticker.json().data).toMatchObject({ symbol: 'BTCUSDT', last: expect.any(Number) })
})

it('makes hours out of stored minutes before it asks the exchange', async () => {
  const market = marketOf()
  await market.candles('BTCUSDT', '1m', { limit: 600 })
  const before = asked(/klines/)
  const hours = await market.candles('BTCUSDT', '1h', { limit: 10 })
  expect([hours.length, hours.ts.at(-1)]).toEqual([10, SERIES_START_MS + 49 * HOUR])
  expect(hours.open[0]).toBe(week.BTCUSDT!.open[40 * 60])
  expect(asked(/klines/)).toBe(before)
})

it('serves what is stored while the exchange does not answer, and says so where nothing is', async () => {
  const market = marketOf()
  await market.candles('BTCUSDT', '1m', { limit: 100 })
  local.exchange.faults.rest({ at: /klines/, times: 1000, fault: { kind: 'status', status: 502 } })
  local.exchange.clock.advance(2 * MINUTE_MS)
  const stale = await market.candles('BTCUSDT', '1m', { limit: 100 })
  expect([stale.length, stale.ts.at(-1)]).toEqual([100, SERIES_START_MS + 2999 * MINUTE_MS])
  await expect(market.candles('ETHUSDT', '1m', { limit: 100 })).rejects.toMatchObject({ code: 'venue_unreachable' })
  await expect(market.candles('NOPEUSDT', '1m', { limit: 1 })).rejects.toMatchObject({ code: 'unknown_symbol' })
})

it('knows its markets after a restart without the exchange', async () => {
  expect((await marketOf().markets()).map(({ id }) => id)).toEqual(['BTCUSDT', 'ETHUSDT'])
  const fetched = asked(/exchangeInfo/)
  local.exchange.faults.rest({ times: 1000, fault: { kind: 'drop' } })
  const again = marketOf()
  expect((await again.markets()).length).toBe(2)
  expect(again.marketsFetchedAtMs()).toBeGreaterThan(0)
  expect(asked(/exchangeInfo/)).toBe(fetched)
})

it('remembers what the exchange does not have, and forgets it where a candle comes after all', async () => {
  const name = { venue: 'binance', symbol: 'BTCUSDT', timeframe: '1m' as const }
  const begin = SERIES_START_MS - 50 * MINUTE_MS
  const market = marketOf()
  const range = { fromMs: begin, toMs: SERIES_START_MS + 9 * MINUTE_MS }
  expect((await market.candles('BTCUSDT', '1m', range)).length).toBe(10)
  const before = SERIES_START_MS - MINUTE_MS
  expect(await knownGapsOf(db.orm, name, range)).toEqual([{ fromMs: begin, toMs: before }])
  const once = asked(/klines/)
  await market.candles('BTCUSDT', '1m', range)
  expect(asked(/klines/)).toBe(once)
  const late = { ts: before, open: 1, high: 1, low: 1, close: 1, volume: 1 }
  await writeCandles(db.pool, name, candlesOf([late]), 0)
  expect(await knownGapsOf(db.orm, name, range)).toEqual([])
})

it('writes a revision down with both values, and a repetition not at all', async () => {
  const name = { venue: 'binance', symbol: 'BTCUSDT', timeframe: '1m' as const }
  const candle = { ts: NOW - 10_000, open: 10, high: 12, low: 9, close: 11, volume: 5 }
  const write = (close: number, ts = candle.ts) =>
    writeCandles(db.pool, name, candlesOf([{ ...candle, ts, close }]), 77)
  expect(await write(11)).toMatchObject({ added: [candle.ts], revised: [] })
  expect(await write(11)).toMatchObject({ added: [], revised: [] })
  expect(await write(10)).toMatchObject({ added: [], revised: [candle.ts] })
  // Three minutes on, then the one between: one gap, then two, then one less.
  await write(11, candle.ts + 3 * MINUTE_MS)
  const series = 'select candles, gap_count, revision from trading.series'
  expect((await db.pool.query(series)).rows).toEqual([{ candles: 2, gap_count: 1, revision: 1 }])
  await write(11, candle.ts + MINUTE_MS)
  await write(11, candle.ts + 2 * MINUTE_MS)
  expect((await db.pool.query(series)).rows).toEqual([{ candles: 4, gap_count: 0, revision: 3 }])
  const { rows } = await db.pool.query('select ts, before, after, at_ms from trading.candle_revisions')
  expect(rows).toEqual([{ ts: candle.ts, before: [10, 12, 9, 11, 5], after: [10, 12, 9, 10, 5], at_ms: 77 }])
})

it('a candle keeps the values that were heard last, even when older ones are written after them', async () => {
  const stored = createStoredCandles(db)
  const ts = NOW - 10_000 - 5 * MINUTE_MS
  const candle = { ts, open: 10, high: 12, low: 9, close: 11, volume: 5 }
  const closeOf = async () => [...(await stored.candles('binance', 'BTCUSDT', '1m', { fromMs: ts, toMs: ts })).close]
  /** The venue is asked at `askedMs` and says that the candle closed with `close`, but answers only after `meanwhile`. */
  const reread = (close: number, askedMs: number, meanwhile = async () => {}) =>
    createCandleFiller({
      db,
      stored,
      now: Date.now,
      source: {
        name: 'binance',
        async *history() {
          await meanwhile()
          yield { candles: candlesOf([{ ...candle, close }]), askedMs, resumeMs: ts, doneRatio: 1, refused: 0 }
        },
      },
    }).fill('BTCUSDT', '1m', { fromMs: ts, toMs: ts }, { againFromMs: ts })
  const { book } = marketOf()
  const hear = (close: number, heardMs: number) =>
    book.write('BTCUSDT', '1m', [{ candle: { ...candle, close }, heardMs }])

  await hear(11, 100)
  await reread(11, 200, async () => void (await hear(10, 300)))
  expect(await closeOf()).toEqual([10])
  await reread(9.5, 500)
  expect(await closeOf()).toEqual([9.5])
  // It waited while the connection was lost.
  expect(await hear(10, 400)).toEqual({ added: [], revised: [], outdated: [ts] })
  expect(await closeOf()).toEqual([9.5])
})

it('announces a revision, no matter who stores it', async () => {
  const name = { venue: 'binance', symbol: 'BTCUSDT', timeframe: '1m' as const }
  const client = await db.pool.connect()
  const said: unknown[] = []
  client.on('notification', ({ payload }) => said.push(JSON.parse(payload!)))
  await client.query('listen shapecast_live')
  const candle = { ts: NOW - 10_000, open: 10, high: 12, low: 9, close: 11, volume: 0.1 }
  await writeCandles(db.pool, name, candlesOf([candle]), 1)
  await writeCandles(db.pool, name, candlesOf([{ ...candle, close: 9.7 }]), 2)
  await expect
    .poll(() => said)
    .toEqual([[{ t: 'candle', ...name, closed: true, row: [candle.ts, 10, 12, 9, 9.7, 0.1] }]])
  client.release(true)
})

it('lets a reader go at the end of his patience, no matter who reads the series before him', async () => {
  const fills: (() => void)[] = []
  const source = {
    name: 'binance',
    async *history() {
      await new Promise<void>((resolve) => fills.push(resolve))
    },
  }
  const filler = createCandleFiller({ db, stored: createStoredCandles(db), source, now: Date.now })
  const range = { fromMs: NOW - 70_000, toMs: NOW - 70_000 }
  const first = filler.fill('BTCUSDT', '1m', range)
  await expect.poll(() => fills.length).toBe(1)
  const patience = new AbortController()
  const second = filler.fill('BTCUSDT', '1m', range, { signal: patience.signal })
  patience.abort(new Error('waited long enough'))
  await expect(second).rejects.toThrow('waited long enough')
  fills[0]!()
  await first
  expect(fills.length).toBe(1)
})

it('knows a gap once, also where the venue was asked again from within it or before it', async () => {
  const name = { venue: 'binance', symbol: 'HOLEUSDT', timeframe: '1m' } as const
  const keep = (...runs: [number, number][]) =>
    keepGaps(
      db,
      name,
      runs.map(([from, to]) => ({ fromMs: from * MINUTE_MS, toMs: to * MINUTE_MS })),
      0,
    )
  const known = async () =>
    (await knownGapsOf(db.orm, name, { fromMs: 0, toMs: 100 * MINUTE_MS })).map(({ fromMs, toMs }) => [
      fromMs / MINUTE_MS,
      toMs / MINUTE_MS,
    ])
  await keep([10, 16], [40, 40])
  await keep([13, 16])
  expect(await known()).toEqual([
    [10, 16],
    [40, 40],
  ])
  await keep([8, 11], [60, 61])
  expect(await known()).toEqual([
    [8, 16],
    [40, 40],
    [60, 61],
  ])
})
