import { TIMEFRAME_MS, TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { type Candles, rowsFromCandles } from '@shapecast/engine/candles'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregateCandles } from '../aggregate.ts'
import { SIMULATED_COINS } from './coins.ts'
import { DAILY_WAVE } from './minute-candles.ts'
import { createSimulatedVenue, SIMULATED_SINCE_MS } from './simulated-venue.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 5, 1, 12, 34, 56)
const at = (now: number, seed?: number) =>
  createSimulatedVenue(seed === undefined ? { now: () => now } : { now: () => now, seed })
const venue = at(NOW)

const logReturns = (c: Candles): number[] => Array.from(c.close.subarray(1), (x, i) => Math.log(x / c.close[i]!))
const mean = (x: readonly number[]): number => x.reduce((sum, v) => sum + v, 0) / x.length
function correlation(x: readonly number[], y: readonly number[]): number {
  const [mx, my] = [mean(x), mean(y)]
  const sum = (f: (i: number) => number) => x.reduce((total, _, i) => total + f(i), 0)
  const spread = sum((i) => (x[i]! - mx) ** 2) * sum((i) => (y[i]! - my) ** 2)
  return sum((i) => (x[i]! - mx) * (y[i]! - my)) / Math.sqrt(spread)
}
const kurtosis = (x: readonly number[]): number => {
  const m = mean(x)
  return mean(x.map((v) => (v - m) ** 4)) / mean(x.map((v) => (v - m) ** 2)) ** 2
}

describe('the simulated market', () => {
  it('gives the same candle however it is asked', async () => {
    const symbol = fc.constantFrom(...SIMULATED_COINS.keys())
    const minute = fc.integer({ min: 0, max: 3_000_000 })
    await fc.assert(
      fc.asyncProperty(symbol, fc.constantFrom(...TIMEFRAMES), minute, async (coin, timeframe, offset) => {
        const step = TIMEFRAME_MS[timeframe]
        const ts = Math.floor((SIMULATED_SINCE_MS + offset * 60_000) / step) * step
        const [alone] = rowsFromCandles(await venue.candles(coin, timeframe, { fromMs: ts, toMs: ts }))
        const among = await at(NOW + 77 * DAY).candles(coin, timeframe, { beforeMs: ts + 3 * step, limit: 5 })
        expect(rowsFromCandles(among)).toContainEqual(alone)
      }),
      { numRuns: 60 },
    )
  })

  it('gives candles that this version, and every later one, has to give', async () => {
    const ts = Date.UTC(2024, 0, 1)
    expect(rowsFromCandles(await venue.candles('BTCUSDT', '1h', { fromMs: ts, toMs: ts }))).toMatchInlineSnapshot(`
      [
        [
          1704067200000,
          104819.62,
          105176.55,
          104680.73,
          104710.21,
          722.359375,
        ],
      ]
    `)
  })

  it.each(['BTCUSDT', 'DOGEUSDT'])('has minutes of %s that make up its longer candles to the bit', async (symbol) => {
    const from = Date.UTC(2025, 2, 1)
    const range = { fromMs: from, toMs: from + 4 * DAY - 1 }
    const minutes = await venue.candles(symbol, '1m', range)
    for (const timeframe of TIMEFRAMES.slice(1)) {
      const made = aggregateCandles(minutes, 60_000, TIMEFRAME_MS[timeframe])
      expect(made.length, timeframe).toBe((4 * DAY) / TIMEFRAME_MS[timeframe])
      expect(made, timeframe).toEqual(await venue.candles(symbol, timeframe, range))
    }
  })

  it('has sound candles without gaps, each opening where the last closed, at whole ticks', async () => {
    for (const [symbol, coin] of SIMULATED_COINS) {
      const rows = rowsFromCandles(await venue.candles(symbol, '5m', { limit: 3000 }))
      const scale = 10 ** coin.decimals
      const unsound = rows.filter(([ts, open, high, low, close, volume], i) => {
        const isWithin = low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && volume > 0
        const follows = i === 0 || (ts - rows[i - 1]![0] === 300_000 && open === rows[i - 1]![4])
        return !isWithin || !follows || Math.round(close * scale) / scale !== close
      })
      expect([rows.length, unsound]).toEqual([3000, []])
    }
  })

  it('shows nothing that has not closed, and nothing from before it began', async () => {
    const newest = await venue.candles('BTCUSDT', '1h', { limit: 3, toMs: NOW + DAY })
    expect(newest.ts[2]).toBe(Date.UTC(2026, 5, 1, 11))
    const oldest = await venue.candles('BTCUSDT', '1d', { fromMs: 0, toMs: SIMULATED_SINCE_MS + DAY })
    expect([...oldest.ts]).toEqual([SIMULATED_SINCE_MS, SIMULATED_SINCE_MS + DAY])
    expect((await venue.candles('BTCUSDT', '1d', { beforeMs: SIMULATED_SINCE_MS })).length).toBe(0)
  })

  it('ticks within the candle that it becomes', async () => {
    const ts = Date.UTC(2026, 5, 1, 12, 33)
    const [[, open, high, low, close]] = rowsFromCandles(
      await venue.candles('ETHUSDT', '1m', { fromMs: ts, toMs: ts }),
    ) as unknown as [number[]]
    const prices: number[] = []
    for (let ms = ts; ms < ts + 60_000; ms += 250) prices.push((await at(ms).ticker('ETHUSDT')).last)
    expect(prices[0]).toBe(open)
    expect([Math.max(...prices), Math.min(...prices)]).toEqual([high, low])
    expect((await at(ts + 60_000).ticker('ETHUSDT')).last).toBe(close)
  })

  it('says what changed over 24 hours', async () => {
    const now = await venue.ticker('SOLUSDT')
    const then = await at(NOW - DAY).ticker('SOLUSDT')
    expect(now.change).toBeCloseTo(now.last - then.last, 9)
    expect(now.percentage).toBeCloseTo((now.last / then.last - 1) * 100, 9)
  })

  it('refuses a symbol that it does not have', async () => {
    await expect(venue.candles('NOPEUSDT', '1h', {})).rejects.toMatchObject({ code: 'unknown_symbol' })
    await expect(venue.ticker('BTCEUR')).rejects.toMatchObject({ code: 'unknown_symbol' })
  })

  it('is another market with another seed', async () => {
    const a = await venue.candles('BTCUSDT', '1h', { limit: 500 })
    const b = await at(NOW, 1).candles('BTCUSDT', '1h', { limit: 500 })
    expect(Math.abs(correlation(logReturns(a), logReturns(b)))).toBeLessThan(0.2)
  })
})

describe('its statistics', async () => {
  const load = async (symbol: string) => logReturns(await venue.candles(symbol, '1h', { limit: 20_000 }))
  const [btc, eth, ada] = [await load('BTCUSDT'), await load('ETHUSDT'), await load('ADAUSDT')]

  it('moves by 30 to 120 % a year', () => {
    const annual = Math.sqrt(mean(btc.map((r) => r * r)) * 24 * 365.25)
    expect(annual).toBeGreaterThan(0.3)
    expect(annual).toBeLessThan(1.2)
  })

  it('has fat tails', () => {
    for (const coin of [btc, eth, ada]) expect(kurtosis(coin)).toBeGreaterThan(4)
  })

  it('has volatility that clusters: large moves follow large moves for days', () => {
    const size = btc.map(Math.abs)
    for (const lag of [1, 24, 72]) expect(correlation(size.slice(lag), size.slice(0, -lag))).toBeGreaterThan(0.05)
  })

  it('has coins that move together', () => {
    for (const [x, y] of [
      [btc, eth],
      [btc, ada],
      [eth, ada],
    ] as const)
      expect(correlation(x, y)).toBeGreaterThan(0.3)
  })

  it('carries the daily wave that is planted, at its size, and no other direction to speak of', async () => {
    const long = logReturns(await venue.candles('BTCUSDT', '1h', { limit: 55_000 }))
    const hours = long.map((_, i) => (Math.floor(NOW / HOUR) - long.length + i) % 24)
    const wave = (hour: number) => DAILY_WAVE * Math.sin((2 * Math.PI * hour) / 24)
    const planted = hours.map((hour) => wave(hour + 1) - wave(hour))
    // Least squares of the returns on the wave: 1 where it is there at its size, with a standard error of about 0.15.
    const slope = mean(planted.map((p, i) => p * long[i]!)) / mean(planted.map((p) => p * p))
    expect(Math.abs(slope - 1)).toBeLessThan(0.45)
    const rest = long.map((r, i) => r - planted[i]!)
    expect(Math.abs(correlation(rest.slice(1), rest.slice(0, -1)))).toBeLessThan(0.04)
  })
})

describe('the candle that forms', () => {
  const START = Date.UTC(2026, 5, 1, 12)
  const openAt = async (ms: number, timeframe: '1m' | '1h') => {
    const market = at(ms)
    const [row] = rowsFromCandles(await market.openCandle!('BTCUSDT', timeframe))
    return { row: row!, last: (await market.ticker('BTCUSDT')).last }
  }

  it('has the price as its close, and its range grows until it is the closed one', async () => {
    const [closed] = rowsFromCandles(await at(START + HOUR).candles('BTCUSDT', '1h', { limit: 1 }))
    const early = await openAt(START + 20 * 60_000 + 7_000, '1h')
    const later = await openAt(START + 50 * 60_000 + 31_000, '1h')
    for (const { row, last } of [early, later]) expect([row[0], row[1], row[4]]).toEqual([START, closed![1], last])
    expect(early.row[2]).toBeLessThanOrEqual(later.row[2])
    expect(later.row[2]).toBeLessThanOrEqual(closed![2])
    expect(early.row[3]).toBeGreaterThanOrEqual(later.row[3])
    expect(later.row[3]).toBeGreaterThanOrEqual(closed![3])
    expect(early.row[5]).toBeLessThan(later.row[5])
    const end = await openAt(START + HOUR - 1, '1h')
    expect([end.row[2], end.row[3]]).toEqual([closed![2], closed![3]])
  })

  it('is one candle of open, high, low and close alike in its first moment', async () => {
    const { row } = await openAt(START, '1m')
    expect(new Set(row.slice(1, 5)).size).toBe(1)
    expect(row[5]).toBe(0)
  })
})
