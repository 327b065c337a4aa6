import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS } from '@shapecast/venues/testing/open-local-venue'
import { afterAll, expect, it } from 'vitest'
import { compose } from '../src/compose.ts'
import { jobRoutes } from '../src/ground/jobs/routes.ts'
import { JOB_KINDS } from '../src/job-kinds.ts'
import { downloadHere } from '../src/market/download-kind.ts'
import { createLiveMarket } from '../src/market/live-market.ts'
import { registerMarketRoutes } from '../src/market/routes.ts'
import { createStoredCandles } from '../src/market/stored-candles.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const MINUTES = 20_000
const last = SERIES_START_MS + (MINUTES - 1) * MINUTE_MS
const series = {
  BTCUSDT: randomCandles(MINUTES, SERIES_START_MS, '1m', 3),
  ETHUSDT: randomCandles(MINUTES, SERIES_START_MS, '1m', 4),
}

const bench = await createServiceBench()
const local = await openLocalVenue({ series, startMs: last + MINUTE_MS + 30_000 })
const stored = createStoredCandles(bench.db)
const market = createLiveMarket({ source: local.venue, db: bench.db, stored, log: silentLogger(), now: Date.now })
const queue = await createQueue(bench.db, silentLogger())
const deps = { db: bench.db, queue, venue: market, log: silentLogger() }
const service = compose(deps)
const worker = await service.worker()
const downloads = service.cli().downloads()
const app = bench.mount((api) => {
  registerMarketRoutes(api, { ...deps, downloads, testnet: true })
  jobRoutes(api, { db: bench.db, jobs: service.cli().jobs, kinds: JOB_KINDS, now: Date.now })
})
afterAll(async () => {
  await queue?.stop()
  await worker?.stop()
  await local?.close()
  await bench?.close()
})

/** What a person was told of downloads, the oldest first. */
const notificationsOf = async (userId: string): Promise<{ title: string; text: string }[]> =>
  (
    await bench.db.pool.query(
      "select title, text from platform.notifications where user_id = $1 and kind = 'job' order by id",
      [userId],
    )
  ).rows

const storedRows = async (symbol: string) =>
  rowsFromCandles(await stored.candles('binance', symbol, '1m', { fromMs: SERIES_START_MS }))

it('a download killed by kill -9 goes on where it was: 20,000 minutes in 20 pages, at most one of them asked for twice', async () => {
  const order = { venue: 'binance', symbol: 'BTCUSDT', timeframe: '1m' as const, fromMs: SERIES_START_MS, toMs: last }
  const id = await bench.db.orm.transaction((tx) => downloadHere(tx, order, Date.now()))
  const script = join(import.meta.dirname, '../src/market/testing/download-process.ts')
  const now = String(local.exchange.clock.now())
  const start = () =>
    spawn(process.execPath, [script, bench.db.url, JSON.stringify(local.exchange.urls), now, id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const pages = () => local.exchange.requests.filter(({ name }) => name.endsWith('/klines')).length

  const killed = start()
  const gone = once(killed, 'exit')
  let told = ''
  killed.stdout.on('data', (data: Buffer) => {
    told += data
  })
  // The exchange says nothing more to it after ten pages, so that it cannot come to its end.
  local.exchange.faults.rest({ at: /klines/, times: 10, fault: { kind: 'slow', ms: 10 } })
  local.exchange.faults.rest({ at: /klines/, times: 100, fault: { kind: 'held', until: () => new Promise(() => {}) } })
  await eventually(() => expect(told.split('\n').length).toBeGreaterThan(3))
  killed.kill('SIGKILL')
  expect((await gone)[1]).toBe('SIGKILL')
  local.exchange.faults.clear()
  const before = (await storedRows('BTCUSDT')).length
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(MINUTES)

  const asked = pages()
  const [code] = await once(start(), 'exit')
  expect(code).toBe(0)
  expect(await storedRows('BTCUSDT')).toEqual(rowsFromCandles(series.BTCUSDT))
  expect(pages() - asked).toBeLessThanOrEqual(Math.ceil((MINUTES - before) / 1000) + 1)
})

it('a download is asked for by a manager, done by a worker, and extended by a request with a later end', async () => {
  const { manager, owner } = bench.users
  const body = { symbol: 'ETHUSDT', timeframe: '1m', from: SERIES_START_MS, to: SERIES_START_MS + 1999 * MINUTE_MS }
  const post = (as: typeof manager, more: object = {}) =>
    call(app, 'POST', '/api/candles/download', { as, body: { ...body, ...more } })
  expect((await post(owner)).status).toBe(403)
  expect((await post(manager, { symbol: 'NOPEUSDT' })).body).toMatchObject({ code: 'unknown_symbol', field: 'symbol' })
  expect((await post(manager, { to: body.from })).body).toMatchObject({ code: 'bad_input', field: 'to' })

  const finished = async (jobId: string) => {
    const read = () => call(app, 'GET', `/api/candles/download/${jobId}`, { as: manager })
    await eventually(async () => expect((await read()).body.status).toBe('completed'))
    return (await read()).body
  }
  const { jobId } = (await post(manager)).body
  expect(await finished(jobId)).toMatchObject({ candles: 2000, progress: 1, error: null, venue: 'binance' })
  const later = (await post(manager, { to: body.to + 500 * MINUTE_MS })).body
  expect(later.jobId).toBe(jobId)
  expect(await finished(jobId)).toMatchObject({ candles: 2500, to: body.to + 500 * MINUTE_MS })
  expect(await storedRows('ETHUSDT')).toEqual(rowsFromCandles(series.ETHUSDT).slice(0, 2500))
  const title = 'Download of ETHUSDT 1m is done'
  expect(await notificationsOf(manager.userId)).toEqual([
    { title, text: '2,000 candles came.' },
    { title, text: '2,500 candles came.' },
  ])
})

it('stops when cancelled, keeps what came, tells nobody, and goes on there when asked for again', async () => {
  const { manager } = bench.users
  const body = { symbol: 'BTCUSDT', timeframe: '1m', from: SERIES_START_MS + MINUTE_MS, to: last }
  const ask = async () => (await call(app, 'POST', '/api/candles/download', { as: manager, body })).body.jobId
  const read = async (id: string) => (await call(app, 'GET', `/api/candles/download/${id}`, { as: manager })).body
  const before = (await notificationsOf(manager.userId)).length
  const answers = Promise.withResolvers<void>()
  local.exchange.faults.rest({ at: /klines/, times: 3, fault: { kind: 'slow', ms: 10 } })
  local.exchange.faults.rest({ at: /klines/, times: 100, fault: { kind: 'held', until: () => answers.promise } })
  const id = await ask()
  await eventually(async () => expect((await read(id)).candles).toBeGreaterThanOrEqual(3000))
  expect((await call(app, 'POST', `/api/jobs/${id}/cancel`, { as: manager, body: {} })).body).toEqual({ id })
  const { status, candles, error } = await read(id)
  expect([status, error]).toEqual(['cancelled', null])
  local.exchange.faults.clear()
  answers.resolve()
  expect(await notificationsOf(manager.userId)).toHaveLength(before)
  expect(await ask()).toBe(id)
  await eventually(async () => expect((await read(id)).status).toBe('completed'))
  expect((await read(id)).candles).toBe(MINUTES - 1)
  expect(candles).toBeLessThan(MINUTES - 1)
})

it('a download fails with the reason when the exchange does not answer, and an unknown one is not found', async () => {
  const { manager } = bench.users
  const missing = '01890000-0000-7000-8000-000000000000'
  expect((await call(app, 'GET', `/api/candles/download/${missing}`, { as: manager })).status).toBe(404)
  local.exchange.faults.rest({ at: /klines/, times: 100, fault: { kind: 'status', status: 502 } })
  const body = { symbol: 'ETHUSDT', timeframe: '5m', from: SERIES_START_MS }
  const { jobId } = (await call(app, 'POST', '/api/candles/download', { as: manager, body })).body
  const read = () => call(app, 'GET', `/api/candles/download/${jobId}`, { as: manager })
  await eventually(async () => expect((await read()).body.status).toBe('failed'))
  const { error } = (await read()).body
  expect(error).toMatch(/does not answer/)
  expect((await notificationsOf(manager.userId)).at(-1)).toEqual({
    title: 'Download of ETHUSDT 5m failed',
    text: error,
  })
  local.exchange.faults.clear()
})
