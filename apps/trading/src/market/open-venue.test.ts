import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { createSimulatedVenue } from '@shapecast/venues/simulated/simulated-venue'
import { randomCandles, shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TRADING_MIGRATIONS } from '../../test/support/trading-migrations.ts'
import { importFile } from './import-file.ts'
import { type LiveMarkets, type MarketSettings, openVenue } from './open-venue.ts'
import { createStoredCandles } from './stored-candles.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
let db: Database
beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
})
afterEach(() => db.close())

/** Real exchanges that answer or not, and remember what was asked of them. */
const exchanges = (answers: boolean): LiveMarkets & { asked: unknown[] } => {
  const asked: unknown[] = []
  return {
    asked,
    answers: async (...args) => {
      asked.push(args)
      return answers
    },
    open: async (id) => ({ ...createSimulatedVenue(), name: id, kind: 'live' }),
  }
}
const start = (settings: Partial<MarketSettings>, live = exchanges(false), now = 0) =>
  openVenue(
    { market: 'auto', testnet: true, replayFrom: null, replaySpeed: 0, ...settings },
    { db, stored: createStoredCandles(db), live, log: silentLogger(), now: () => now },
  )

it('MARKET=auto chooses Binance when it answers within 5 seconds, and keeps it when it does not answer later', async () => {
  const live = exchanges(true)
  expect((await start({}, live)).name).toBe('binance')
  expect(live.asked).toEqual([['binance', 5000, {}]])
  const later = exchanges(false)
  expect((await start({}, later)).name).toBe('binance')
  expect(later.asked).toEqual([])
})

it('asks at the addresses of MARKET_URLS where there are some, and opens the exchange there', async () => {
  const urls = { api: { public: 'https://mirror.example/api/v3' } }
  const live = exchanges(true)
  const opened: unknown[] = []
  const open: LiveMarkets['open'] = (id, options) => {
    opened.push([id, options.urls])
    return live.open(id, options)
  }
  await start({ marketUrls: urls }, { ...live, open })
  expect(live.asked).toEqual([['binance', 5000, { urls }]])
  expect(opened).toEqual([['binance', urls]])
})

it('MARKET=auto chooses the simulated market when Binance does not answer, and keeps it when Binance answers later', async () => {
  expect((await start({})).name).toBe('simulated')
  expect((await start({}, exchanges(true))).name).toBe('simulated')
})

it('decides once where several processes start at the same time', async () => {
  const venues = await Promise.all([true, false, true, false].map((answers) => start({}, exchanges(answers))))
  expect(new Set(venues.map((venue) => venue.name)).size).toBe(1)
})

it('MARKET wins over an earlier choice', async () => {
  await start({})
  expect((await start({ market: 'kraken' })).kind).toBe('live')
  expect((await start({ market: 'replay' })).kind).toBe('replay')
})

it('a replay continues where it was after a restart, and starts again with another REPLAY_SPEED', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-'))
  const path = join(folder, 'candles.csv')
  writeFileSync(path, shapecastCsv(randomCandles(100, START, '1h')))
  await importFile({ db }, { path, symbol: 'BTCUSDT', timeframe: '1h' })
  rmSync(folder, { recursive: true })
  const replay = (replaySpeed: number, now: number) =>
    start({ market: 'replay', replayFrom: START + 10 * HOUR, replaySpeed }, exchanges(false), now)
  expect(await (await replay(3600, 1_000)).now()).toBe(START + 10 * HOUR)
  expect(await (await replay(3600, 6_000)).now()).toBe(START + 15 * HOUR)
  expect(await (await replay(7200, 6_000)).now()).toBe(START + 10 * HOUR)
  expect(await (await start({ market: 'replay' })).now()).toBe(START + 100 * HOUR)
})

it('a replay without candles has no time', async () => {
  const venue = await start({ market: 'replay' })
  expect([await venue.now(), await venue.markets()]).toEqual([null, []])
})
