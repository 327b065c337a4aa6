import { rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { afterEach, describe, expect, it } from 'vitest'
import { aggregateCandles } from '../aggregate.ts'
import { downloadHistory } from '../download-history.ts'
import type { HistoryChunk } from '../live-venue.ts'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, weekOfMinutes } from '../testing/open-local-venue.ts'

const week = weekOfMinutes().BTCUSDT!
const at = (minute: number): number => SERIES_START_MS + minute * MINUTE_MS

let close = async () => {}
afterEach(() => close())

async function open(...args: Parameters<typeof openLocalVenue>) {
  const opened = await openLocalVenue(...args)
  close = opened.close
  return opened
}

/** Keeps what a download brings, as a database would. */
function createSink() {
  const kept: HistoryChunk[] = []
  let resumeMs: number | null = null
  return {
    kept,
    rows: () => kept.flatMap((chunk) => rowsFromCandles(chunk.candles)),
    resumePoint: async () => resumeMs,
    async write(chunk: HistoryChunk) {
      kept.push(chunk)
      resumeMs = chunk.resumeMs
    },
  }
}

describe('the history of a real exchange', () => {
  it('is paged to any depth, to the digit, and ends with the last candle that has closed', async () => {
    const { exchange, venue } = await open({ startMs: at(10_079) + 30_000 })
    const sink = createSink()
    const progress: number[] = []
    const query = { symbol: 'BTCUSDT', timeframe: '1m', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER } as const
    const report = await downloadHistory(venue, { ...query, fromMs: at(0), toMs: at(20_000) }, sink, (c) =>
      progress.push(c.doneRatio),
    )
    expect(report).toEqual({ candles: 10_079, refused: 0, fromMs: at(0), resumeMs: at(10_079) })
    expect(sink.rows()).toEqual(rowsFromCandles(sliceCandles(week, 0, 10_079)))
    // 10,079 candles at 1000 a page.
    expect(exchange.requests.filter((r) => r.name === 'GET /api/v3/klines')).toHaveLength(11)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
  })

  it('builds a larger timeframe from its minutes, without the forming one', async () => {
    const { venue } = await open({ startMs: at(3007) })
    const candles = await venue.candles('BTCUSDT', '5m', { limit: 600 })
    expect(rowsFromCandles(candles)).toEqual(
      rowsFromCandles(aggregateCandles(sliceCandles(week, 0, 3005), MINUTE_MS, 5 * MINUTE_MS)).slice(-600),
    )
  })

  it('goes on where it was after it was broken off, and is whole at the end', async () => {
    const { exchange, venue } = await open({ startMs: at(10_000) })
    const sink = createSink()
    const query = { symbol: 'BTCUSDT', timeframe: '1m', fromMs: at(0), toMs: at(9_000) } as const
    const aborted = new AbortController()
    const stop = (chunk: HistoryChunk) => {
      if (chunk.doneRatio > 0.4) aborted.abort(new Error('enough'))
    }
    await expect(downloadHistory(venue, { ...query, signal: aborted.signal }, sink, stop)).rejects.toThrow('enough')
    expect(sink.rows()).toHaveLength(4000)
    const before = exchange.requests.length
    const report = await downloadHistory(venue, query, sink)
    expect(report).toMatchObject({ fromMs: at(4000), candles: 5001, resumeMs: at(9001) })
    // Six pages, and at most three that were under way when the first run was broken off.
    expect(exchange.requests.length - before).toBeLessThanOrEqual(9)
    expect(sink.rows()).toEqual(rowsFromCandles(sliceCandles(week, 0, 9001)))
    expect(await downloadHistory(venue, query, sink)).toMatchObject({ candles: 0 })
  })

  it('comes whole through rate limits, a ban, errors of the venue and lost connections', async () => {
    const { exchange, venue } = await open({ startMs: at(10_000) })
    const { faults } = exchange
    await venue.markets()
    faults.rest({ at: /klines/, fault: { kind: 'limited', status: 429, retryAfterS: 0.3 } })
    faults.rest({ at: /klines/, times: 2, fault: { kind: 'drop' } })
    faults.rest({ at: /klines/, times: 2, fault: { kind: 'status', status: 502 } })
    faults.rest({ at: /klines/, fault: { kind: 'limited', status: 418, retryAfterS: 0.3 } })
    faults.rest({ at: /klines/, fault: { kind: 'slow', ms: 100 } })
    const sink = createSink()
    await downloadHistory(venue, { symbol: 'BTCUSDT', timeframe: '1m', fromMs: at(0), toMs: at(4999) }, sink)
    expect(sink.rows()).toEqual(rowsFromCandles(sliceCandles(week, 0, 5000)))
    expect(faults.log).toHaveLength(7)
    // While the venue takes nothing, nothing is sent but what was under way already.
    const pages = exchange.requests.filter((r) => r.name.includes('klines'))
    expect(pages.filter((r) => r.at - pages[0]!.at < 290).length).toBeLessThanOrEqual(4)
  })

  it('begins where the venue says that its candles begin, years before not asked for', async () => {
    const { exchange, venue } = await open({ startMs: at(2500) })
    const sink = createSink()
    const fromMs = Date.UTC(2017, 0, 1)
    await downloadHistory(venue, { symbol: 'BTCUSDT', timeframe: '1m', fromMs, toMs: at(1999) }, sink)
    expect(sink.rows()).toEqual(rowsFromCandles(sliceCandles(week, 0, 2000)))
    expect(exchange.requests.filter((r) => r.name.includes('klines')).length).toBeLessThanOrEqual(8)
  })

  it('waits where its own weight is used up', async () => {
    const { exchange, venue } = await open({ startMs: at(10_000), weights: { limit: 30, windowMs: 400 } })
    const sink = createSink()
    await downloadHistory(venue, { symbol: 'BTCUSDT', timeframe: '1m', fromMs: at(0), toMs: at(9999) }, sink)
    expect(sink.rows()).toHaveLength(10_000)
    const banned = exchange.faults.log.filter((f) => f.what.startsWith('418'))
    expect(banned).toEqual([])
  })

  it('is asked for by nobody while the venue takes no requests, with the seconds to wait', async () => {
    const { exchange, venue } = await open()
    await venue.ticker('BTCUSDT')
    exchange.faults.rest({ fault: { kind: 'limited', status: 429, retryAfterS: 600 } })
    await expect(venue.ticker('BTCUSDT')).rejects.toMatchObject({ code: 'venue_rate_limited', retryAfterS: 600 })
    const sent = exchange.requests.length
    const error = await venue.ticker('ETHUSDT').catch((e: unknown) => e)
    expect(error).toMatchObject({ code: 'venue_rate_limited' })
    expect((error as { retryAfterS: number }).retryAfterS).toBeGreaterThan(400)
    expect(exchange.requests.length).toBe(sent)
  })

  it('has the revised value of a candle that the venue has changed', async () => {
    const { exchange, venue } = await open({ startMs: at(100) })
    exchange.revise('BTCUSDT', { ts: at(50), open: 5, high: 7, low: 4, close: 6, volume: 8 })
    const [row] = rowsFromCandles(await venue.candles('BTCUSDT', '1m', { fromMs: at(50), toMs: at(50) }))
    expect(row).toEqual([at(50), 5, 7, 4, 6, 8])
  })

  it('does not take a candle whose end is a moment ago unless the next has begun', async () => {
    const { exchange, venue } = await open({ startMs: at(100) - 1 }, { now: () => at(100) + 1 })
    // Our clock says that minute 99 is over; the venue's, a moment behind, does not, and was not asked yet.
    exchange.faults.rest({ at: /time$/, fault: { kind: 'status', status: 500 } })
    const early = await venue.candles('BTCUSDT', '1m', { limit: 2 })
    expect(rowsFromCandles(early).map(([ts]) => ts)).toEqual([at(98)])
    exchange.clock.advance(2)
    const then = await venue.candles('BTCUSDT', '1m', { limit: 2 })
    expect(rowsFromCandles(then)).toEqual(rowsFromCandles(sliceCandles(week, 98, 100)))
  })
})

describe('a real exchange', () => {
  it('tells its markets, the last price, the top of the book', async () => {
    const { exchange, venue } = await open()
    expect(
      (await venue.markets()).map((m) => [m.id, m.symbol, m.tickSize, m.lotSize, m.minNotional, m.active]),
    ).toEqual([
      ['BTCUSDT', 'BTC/USDT', 0.01, 0.00001, 5, true],
      ['ETHUSDT', 'ETH/USDT', 0.01, 0.00001, 5, true],
    ])
    const last = exchange.data.last('BTCUSDT')!
    const day = exchange.data.day('BTCUSDT')!
    const ticker = await venue.ticker('BTCUSDT')
    expect(ticker).toMatchObject({ symbol: 'BTCUSDT', last, timestamp: exchange.clock.now() })
    expect(ticker.change).toBeCloseTo(last - day.open, 6)
    expect(ticker.percentage).toBeCloseTo((last / day.open - 1) * 100, 2)
    const top = await venue.bookTop('BTCUSDT')
    expect(top).toMatchObject({ symbol: 'BTCUSDT', bidSize: 1.5, askSize: 2.5 })
    expect(top.bid).toBeCloseTo(last - 0.01, 6)
    expect(top.ask).toBeCloseTo(last + 0.01, 6)
    await expect(venue.bookTop('NOSUCHUSDT')).rejects.toMatchObject({ code: 'unknown_symbol' })
  })

  it('has its clock compared with ours, to half a round trip', async () => {
    const { exchange, venue } = await open({}, { now: () => exchange0.clock.now() + performance.now() })
    const exchange0 = exchange
    exchange.skewMs = 90_000
    const origin = performance.now()
    const reading = await venue.measureClock()
    const end = performance.now()
    // Our clock says how long this process runs: the middle of the round trip lies within the measurement.
    expect(90_000 - reading.skewMs).toBeGreaterThanOrEqual(Math.floor(origin))
    expect(90_000 - reading.skewMs).toBeLessThanOrEqual(Math.ceil(end))
    expect(reading.uncertaintyMs).toBeGreaterThan(0)
    expect(reading.uncertaintyMs).toBeLessThanOrEqual((end - origin) / 2)
    expect(venue.clockReading()).toEqual(reading)
  })

  it('has the same ids on futures, and the prices of its perpetual contracts', async () => {
    const { exchange, venue } = await open({}, { marketType: 'futures' })
    expect((await venue.markets()).map((m) => [m.id, m.symbol, m.lotSize])).toEqual([
      ['BTCUSDT', 'BTC/USDT:USDT', 0.001],
      ['ETHUSDT', 'ETH/USDT:USDT', 0.001],
    ])
    const candles = await venue.candles('BTCUSDT', '1m', { limit: 1500 })
    expect(rowsFromCandles(candles)).toEqual(rowsFromCandles(sliceCandles(week, 1500, 3000)))
    expect(exchange.requests.every((r) => r.name.includes('/fapi/'))).toBe(true)
  })

  it('answers nobody when it is not there', async () => {
    const { exchange, venue } = await open()
    await exchange.close()
    await expect(venue.markets()).rejects.toMatchObject({ code: 'venue_unreachable' })
    await expect(venue.measureClock()).rejects.toMatchObject({ code: 'venue_unreachable' })
  })
})
