import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS } from '@shapecast/venues/testing/open-local-venue'
import { afterAll, expect, it } from 'vitest'
import { compose } from '../src/compose.ts'
import { createLiveMarket } from '../src/market/live-market.ts'
import { createStoredCandles } from '../src/market/stored-candles.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const DAY = 86_400_000
const MINUTES = 20_000
const endMs = SERIES_START_MS + MINUTES * MINUTE_MS
const series = {
  BTCUSDT: randomCandles(MINUTES, SERIES_START_MS, '1m', 3),
  ETHUSDT: randomCandles(MINUTES, SERIES_START_MS, '1m', 4),
}

const bench = await createServiceBench()
const { db, sessions, users } = bench
const local = await openLocalVenue({ series, startMs: endMs + 30_000 })
const stored = createStoredCandles(db)
const venue = createLiveMarket({ source: local.venue, db, stored, log: silentLogger(), now: Date.now })
const queue = await createQueue(db, silentLogger())
const deps = { db, queue, venue, log: silentLogger() }
const app = createHttp(silentLogger())
await app.register(compose(deps).api({ sessions }), { prefix: '' })
afterAll(async () => {
  await app.close()
  await queue.stop()
  await local.close()
  await bench.close()
})

const create = async (name: string, policy: string) => {
  const body = {
    name,
    tradingPairs: ['BTCUSDT', 'ETHUSDT'],
    maxDrawdown: 30,
    initialBalance: 1000,
    parameters: { policy },
  }
  return (await call(app, 'POST', '/api/bots', { as: users.owner, body })).body.botId as string
}
const downloads = async () =>
  (
    await db.pool.query(
      `select payload->>'symbol' as symbol, payload->>'timeframe' as timeframe, payload->>'fromMs' as from_ms, status
       from trading.jobs where kind = 'download' order by symbol, from_ms`,
    )
  ).rows

it('fetches what a policy looks back over when its bot is made, once, and again at a start only where it is missing', async () => {
  const id = await create('Trend', 'trend_ensemble')
  // 721 days before the last close, from the midnight before that.
  const from = Math.floor((Math.floor(endMs / 3_600_000) * 3_600_000 - 3_600_000 - 721 * DAY) / DAY) * DAY
  const asked = await downloads()
  expect(asked.map(({ symbol, timeframe, from_ms }) => [symbol, timeframe, Number(from_ms)])).toEqual([
    ['BTCUSDT', '1h', from],
    ['ETHUSDT', '1h', from],
  ])
  await create('Steady', 'steady_risk')
  expect(await downloads()).toHaveLength(4)

  const worker = await compose(deps).worker()
  await eventually(async () =>
    expect((await downloads()).map(({ status }) => status)).toEqual(Array(4).fill('completed')),
  )
  await worker.stop()
  const hours = await stored.candles('binance', 'ETHUSDT', '1h', {})
  expect(hours.length).toBe(Math.floor(MINUTES / 60))

  await db.pool.query('delete from trading.jobs')
  expect((await call(app, 'POST', `/api/bots/${id}/start`, { as: users.owner, body: {} })).status).toBe(200)
  expect(await downloads()).toEqual([])
})

it('an exchange that does not answer keeps nobody from making a bot', async () => {
  local.exchange.faults.rest({ at: /.*/, times: 1000, fault: { kind: 'status', status: 502 } })
  expect(await create('Fixed', 'fixed_share')).toBeTypeOf('string')
  local.exchange.faults.clear()
})
