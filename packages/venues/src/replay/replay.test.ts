import { type Candles, candlesFromRows, emptyCandles, rowsFromCandles } from '@shapecast/engine/candles'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rangeOf, selectCandles } from '../venue.ts'
import { continuedPlan, replayTime } from './replay-clock.ts'
import { createReplayVenue, decimalsOf, type History, partsOf } from './replay-venue.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const row = (hour: number, close: number): number[] => [START + hour * HOUR, close, close + 1, close - 1, close, 1.25]
/** 100 hours of BTCUSDT; the close of hour h is 100 + h. */
const stored = candlesFromRows(Array.from({ length: 100 }, (_, hour) => row(hour, 100.5 + hour)))

const historyOf = (candles: Candles): History => ({
  series: async (symbol) =>
    symbol === undefined || symbol === 'BTCUSDT'
      ? [{ symbol: 'BTCUSDT', timeframe: '1h', lastTs: candles.ts.at(-1)!, revision: 1 }]
      : [],
  candles: async (symbol, _timeframe, query) =>
    symbol === 'BTCUSDT' ? selectCandles(candles, rangeOf(query), query.limit) : emptyCandles(0),
})
const replay = (fromMs: number | null, speed: number, passedMs: number) =>
  createReplayVenue({
    name: 'replay',
    history: historyOf(stored),
    plan: { fromMs, speed, startedAtMs: 5_000 },
    now: () => 5_000 + passedMs,
  })

describe('the clock of a replay', () => {
  it('is 2 hours further after 2 seconds at 3600 market seconds a second', () => {
    const plan = { fromMs: START, speed: 3600, startedAtMs: 1_000 }
    expect(replayTime(plan, 3_000, START + 50 * HOUR)).toBe(START + 2 * HOUR)
  })

  it('stands at the end of the history without a start, and at its start with speed 0', () => {
    expect(replayTime({ fromMs: null, speed: 0, startedAtMs: 0 }, 9e12, START)).toBe(START)
    expect(replayTime({ fromMs: START - HOUR, speed: 0, startedAtMs: 0 }, 9e12, START)).toBe(START - HOUR)
  })

  it('never goes back, and never past the end', () => {
    const ms = fc.integer({ min: 0, max: 1e9 })
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e5, noNaN: true }), ms, ms, ms, (speed, startedAtMs, a, b) => {
        const at = (nowMs: number) => replayTime({ fromMs: START, speed, startedAtMs }, nowMs, START + HOUR)
        const [early, late] = a < b ? [a, b] : [b, a]
        expect(at(early)).toBeLessThanOrEqual(at(late))
        expect(at(late)).toBeLessThanOrEqual(START + HOUR)
        expect(at(early)).toBeGreaterThanOrEqual(START)
      }),
    )
  })

  it('goes on after a restart, and starts again where the settings have changed', () => {
    const kept = { fromMs: START, speed: 60, startedAtMs: 77 }
    expect(continuedPlan(kept, { fromMs: START, speed: 60 }, 999)).toBe(kept)
    expect(continuedPlan(kept, { fromMs: START, speed: 1 }, 999)).toEqual({ fromMs: START, speed: 1, startedAtMs: 999 })
    expect(continuedPlan(null, { fromMs: null, speed: 0 }, 999).startedAtMs).toBe(999)
  })
})

describe('the replay', () => {
  it('shows nothing that closes after its time, however it is asked', async () => {
    // 10.5 hours in: the candle of hour 9 has closed, that of hour 10 has not.
    const venue = replay(START, 3600, 10_500)
    expect(await venue.now()).toBe(START + 10.5 * HOUR)
    for (const query of [
      {},
      { limit: 1000 },
      { toMs: START + 99 * HOUR },
      { fromMs: START },
      { beforeMs: START + 99 * HOUR },
    ]) {
      const candles = await venue.candles('BTCUSDT', '1h', query)
      expect([candles.length, candles.ts.at(-1)]).toEqual([10, START + 9 * HOUR])
    }
    expect((await venue.candles('BTCUSDT', '1h', { fromMs: START + 20 * HOUR })).length).toBe(0)
    expect(await venue.ticker('BTCUSDT')).toMatchObject({ last: 109.5, change: null, timestamp: START + 10 * HOUR })
  })

  it('stands at its last candle without a start', async () => {
    const venue = replay(null, 0, 1e9)
    expect(await venue.now()).toBe(START + 100 * HOUR)
    expect(rowsFromCandles(await venue.candles('BTCUSDT', '1h', { limit: 1 }))).toEqual([row(99, 199.5)])
  })

  it('tells the change over 24 hours: 199.5 after 175.5', async () => {
    expect(await replay(null, 0, 0).ticker('BTCUSDT')).toMatchObject({
      last: 199.5,
      change: 24,
      percentage: expect.closeTo(13.6752, 4),
    })
  })

  it('has the symbols of its candles, with tick and lot as those are written', async () => {
    expect(await replay(null, 0, 0).markets()).toEqual([
      {
        id: 'BTCUSDT',
        symbol: 'BTC/USDT',
        base: 'BTC',
        quote: 'USDT',
        active: true,
        tickSize: 0.1,
        lotSize: 0.01,
        minNotional: 5,
      },
    ])
  })

  it('looks a symbol up where it has no candle in the range, and not where it has', async () => {
    let looks = 0
    const { series, candles } = historyOf(stored)
    const counted: History = {
      candles,
      series(symbol) {
        looks++
        return series(symbol)
      },
    }
    const venue = createReplayVenue({
      name: 'replay',
      history: counted,
      plan: { fromMs: null, speed: 0, startedAtMs: 0 },
    })
    expect((await venue.candles('BTCUSDT', '1h', { limit: 3 })).length).toBe(3)
    expect(looks).toBe(0)
    expect((await venue.candles('BTCUSDT', '1h', { fromMs: START + 900 * HOUR })).length).toBe(0)
    expect(looks).toBe(1)
  })

  it('refuses a symbol without candles, and says so before its first candle', async () => {
    await expect(replay(null, 0, 0).candles('ETHUSDT', '1h', {})).rejects.toMatchObject({ code: 'unknown_symbol' })
    await expect(replay(START, 0, 0).ticker('BTCUSDT')).rejects.toMatchObject({ code: 'no_candles' })
  })
})

describe('what candles say of a market', () => {
  it.each([
    [[1, 2, 30], 0],
    [[0.4895, 0.5], 4],
    [[16541.77, 16545.7], 2],
    [[1e-8], 8],
    [[], 8],
  ])('%j is written with %i decimals', (values, decimals) => {
    expect(decimalsOf(Float64Array.from(values))).toBe(decimals)
  })

  it('parts a symbol by its quote', () => {
    expect(partsOf('ETHBTC')).toEqual({ base: 'ETH', quote: 'BTC' })
    expect(partsOf('USDTTRY')).toEqual({ base: 'USDT', quote: 'TRY' })
    expect(partsOf('XYZ')).toEqual({ base: 'XYZ', quote: '' })
  })
})
