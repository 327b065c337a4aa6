import type { Market } from '@shapecast/contracts/market'
import { rowsFromCandles } from '@shapecast/engine/candles'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createSimulatedVenue } from '@shapecast/venues/simulated/simulated-venue'
import { expect, it } from 'vitest'
import { type Closed, followedSet, reconcile } from './followed-set.ts'
import type { LiveMessage } from './live-messages.ts'
import { startTickingFeed } from './ticking-feed.ts'

const MINUTE = 60_000
const BTC = { symbol: 'BTCUSDT', timeframe: '1m' } as const

it('lets the simulated market tick: the candle that forms, then as closed what the market says it closed with', async () => {
  const start = Date.UTC(2026, 5, 1, 12, 0, 30)
  let now = start
  const venue = createSimulatedVenue({ now: () => now })
  const said: LiveMessage[] = []
  const announcer = { announce: (message: LiveMessage) => void said.push(message), stop: async () => {} }
  const wanted = { lasting: async () => [BTC], used: async () => [{ symbol: 'ETHUSDT', timeframe: null }] }
  const complete: number[] = []
  const closed: Closed = (symbol, _timeframe, ts) => void (symbol === 'BTCUSDT' && complete.push(ts))
  const feed = startTickingFeed({ venue, wanted, closed, announcer, log: silentLogger(), now: () => now, tickMs: 1 })
  const candles = () => said.flatMap((m) => (m.t === 'candle' ? [m] : []))
  await eventually(() => expect(candles().length).toBe(1))
  expect([candles()[0]!.closed, candles()[0]!.row[0]]).toEqual([false, start - 30_000])
  const prices = said.flatMap((m) => (m.t === 'ticker' ? [m.ticker] : []))
  await eventually(() => expect(said.some((m) => m.t === 'ticker' && m.ticker.symbol === 'ETHUSDT')).toBe(true))
  for (const price of prices) if (price.symbol === 'BTCUSDT') expect(candles()[0]!.row[4]).toBe(price.last)

  now = start + 2 * MINUTE
  await eventually(() => expect(candles().length).toBe(4))
  await feed.stop()
  const exact = rowsFromCandles(await venue.candles('BTCUSDT', '1m', { limit: 2 }))
  expect(
    candles()
      .slice(1, 3)
      .map((m) => [m.closed, m.row]),
  ).toEqual(exact.map((row) => [true, row]))
  expect([candles()[3]!.closed, candles()[3]!.row[0]]).toEqual([false, start + 2 * MINUTE - 30_000])
  expect(complete.map((ts) => (ts - start - 30_000) / MINUTE)).toEqual([-2, 0])
  const after = said.length
  now += MINUTE
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(said.length).toBe(after)
})

it('follows what lasts before what is looked at, each once, known symbols only, and at most a hundred', async () => {
  const used = Array.from({ length: 150 }, (_, i) => ({ symbol: `C${i}USDT`, timeframe: '1h' as const }))
  const wanted = {
    lasting: async () => [BTC, BTC],
    used: async () => [{ symbol: 'GONE', timeframe: null }, BTC, ...used],
  }
  const venue = { markets: async () => [BTC, ...used].map(({ symbol: id }) => ({ id }) as Market) }
  const set = await followedSet(wanted, venue)
  expect([set.size, [...set.values()][0], [...set.values()].at(-1)]).toEqual([100, BTC, used[98]])
})

it('stops what is not wanted any more, starts what is new and leaves the rest alone', () => {
  const stopped: string[] = []
  const started: string[] = []
  const running = new Map<string, { stop(): void }>()
  const run = (...wanted: string[]) =>
    reconcile(running, new Set(wanted), (key) => {
      started.push(key)
      return { stop: () => void stopped.push(key) }
    })
  run('a', 'b')
  run('b', 'c')
  expect([started, stopped, [...running.keys()]]).toEqual([['a', 'b', 'c'], ['a'], ['b', 'c']])
})
