import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { type Logger, silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import type { LiveVenue } from '@shapecast/venues/live-venue'
import { openLocalVenue } from '@shapecast/venues/testing/open-local-venue'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEventHub } from '../src/market/feed/event-hub.ts'
import { startFeed } from '../src/market/feed/feed.ts'
import { listenToMessages } from '../src/market/feed/listener.ts'
import { createLiveMarket } from '../src/market/live-market.ts'
import { registerMarketRoutes } from '../src/market/routes.ts'
import { createStoredCandles } from '../src/market/stored-candles.ts'
import { TRADING_MIGRATIONS } from './support/trading-migrations.ts'

let db: Database
let local: Awaited<ReturnType<typeof openLocalVenue>>
const ends: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
  local = await openLocalVenue()
  ends.push(() => local.close())
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await db.close()
})

/** The feed of one process, and what the health of another says of it. */
async function follow(source: LiveVenue = local.venue, log: Logger = silentLogger()) {
  const market = createLiveMarket({ source, db, stored: createStoredCandles(db), log, now: Date.now })
  const wanted = { lasting: async () => [{ symbol: 'BTCUSDT', timeframe: '1m' } as const], used: async () => [] }
  const feed = startFeed({
    db,
    venue: market,
    live: { source, store: market.book },
    wanted,
    closed: () => {},
    log,
    now: Date.now,
  })
  ends.push(() => feed.stop())
  const hub = createEventHub({ venue: market.name, now: Date.now })
  const listener = await listenToMessages({ url: db.url, log, onMessages: hub.publish, onGap: hub.reset })
  ends.push(() => listener.stop())
  const fastify = createHttp(silentLogger())
  ends.push(() => fastify.close())
  const unused = () => Promise.reject(new Error('not of this test'))
  registerMarketRoutes(
    {
      name: 'trading',
      fastify,
      sessions: {
        verify: unused,
        issue: unused,
        end: unused,
        endOthers: unused,
        requireProof: unused,
        endAll: unused,
        whenEnded: () => () => {},
      },
      registered: new Set(),
    },
    {
      db,
      venue: market,
      testnet: true,
      downloads: { request: unused, read: unused },
      feed: { status: hub.status, use: () => {}, onClosed: hub.onClosed },
    },
  )
  const health = async () => (await fastify.inject('/health')).json().data
  return { health }
}

/** A slow machine may log other things besides. */
const aboutClocks = (calls: readonly (readonly unknown[])[]) =>
  calls.map((call) => call.at(-1)).filter((text) => String(text).includes('clock'))

it('health shows how far the clock of the exchange is from ours, and the log asks to set ours right', async () => {
  local.exchange.skewMs = 5_000
  const log = silentLogger()
  const warn = vi.spyOn(log, 'warn')
  const { health } = await follow(local.venue, log)
  await eventually(async () => {
    const { clockSkewMs, venue, feedLagMs } = await health()
    expect(venue).toBe('binance')
    // The venue object lives by the exchange's clock, so that what is left is the fault; the round trip bounds it.
    expect(Math.abs(clockSkewMs - 5_000)).toBeLessThan(500)
    expect(feedLagMs).toBeGreaterThanOrEqual(0)
  })
  expect(aboutClocks(warn.mock.calls)).toEqual(['the clocks of this machine and binance differ; set this one right'])
})

it('a clock that differs by less than two seconds is shown, and not logged', async () => {
  local.exchange.skewMs = -1_000
  const log = silentLogger()
  const warn = vi.spyOn(log, 'warn')
  const { health } = await follow(local.venue, log)
  await eventually(async () => expect(Math.abs((await health()).clockSkewMs + 1_000)).toBeLessThan(500))
  expect(aboutClocks(warn.mock.calls)).toEqual([])
})

it('health says that the private stream is closed while only prices are followed', async () => {
  const { health } = await follow()
  await eventually(async () => expect((await health()).websocket).toEqual({ public: true, private: false }))
})
