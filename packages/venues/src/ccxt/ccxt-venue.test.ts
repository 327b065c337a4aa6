import { rowsFromCandles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { randomCandles } from '../testing/candle-files.ts'
import { scriptedExchange } from '../testing/scripted-exchange.ts'
import type { ExchangeStreams } from './calls/exchange-calls.ts'
import { createCcxtVenue } from './ccxt-venue.ts'
import { openExchange } from './live-markets.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const history = rowsFromCandles(randomCandles(5_000, START, '1h'))
/** Half an hour into the last candle. */
const NOW = START + 4_999.5 * HOUR

/** The scripted exchange with this history; it notes its calls. */
function scripted(over: Partial<ExchangeStreams> = {}) {
  const calls: string[] = []
  const plain = scriptedExchange(history, over)
  const exchange: ExchangeStreams = {
    ...plain,
    loadMarkets(reload) {
      calls.push('markets')
      return plain.loadMarkets(reload)
    },
    fetchOHLCV(symbol, timeframe, since, limit) {
      calls.push(`candles ${(since - START) / HOUR} ${limit}`)
      return plain.fetchOHLCV(symbol, timeframe, since, limit)
    },
  }
  return { calls, venue: createCcxtVenue({ exchange, now: () => NOW }) }
}

class RequestTimeout extends Error {}

describe('a real exchange', () => {
  it('gives the newest closed candles, page by page', async () => {
    const { venue, calls } = scripted()
    const candles = await venue.candles('BTCUSDT', '1h', { limit: 2_500 })
    expect(rowsFromCandles(candles)).toEqual(history.slice(2_499, 4_999))
    expect(calls).toEqual(['markets', 'candles 2499 1000', 'candles 3499 1000', 'candles 4499 500'])
  })

  it('gives a range, and what came before a time', async () => {
    const { venue } = scripted()
    const range = await venue.candles('BTCUSDT', '1h', { fromMs: START + 7 * HOUR + 1, toMs: START + 9 * HOUR + 5 })
    expect(rowsFromCandles(range)).toEqual(history.slice(8, 10))
    const before = await venue.candles('BTCUSDT', '1h', { beforeMs: START + 10 * HOUR, limit: 3 })
    expect(rowsFromCandles(before)).toEqual(history.slice(7, 10))
  })

  it('goes on over a gap that is longer than a page, and ends where there is no more', async () => {
    const { venue } = scripted({
      fetchOHLCV: async (_s, _t, since, limit) =>
        history.filter(
          ([ts]) => ts >= since && ts < since + limit * HOUR && (ts < START + HOUR || ts >= START + 3_000 * HOUR),
        ),
    })
    const candles = await venue.candles('BTCUSDT', '1h', { fromMs: START })
    expect(candles.length).toBe(1 + 1_999)
  })

  it('has its spot markets, asked for once, with tick, lot and minimum', async () => {
    const { venue, calls } = scripted()
    await venue.markets()
    expect(await venue.markets()).toEqual([
      {
        id: 'BTCUSDT',
        symbol: 'BTC/USDT',
        base: 'BTC',
        quote: 'USDT',
        active: true,
        tickSize: 0.01,
        lotSize: 0.00001,
        minNotional: 5,
      },
    ])
    expect(calls).toEqual(['markets'])
  })

  it('tells no answer from an unknown symbol', async () => {
    let down = true
    const { venue } = scripted({
      loadMarkets: async () => {
        if (down) throw Object.assign(new RequestTimeout('late'), { code: 'ETIMEDOUT' })
        return {}
      },
    })
    await expect(venue.ticker('BTCUSDT')).rejects.toMatchObject({ code: 'venue_unreachable' })
    down = false
    await expect(venue.ticker('BTCUSDT')).rejects.toMatchObject({ code: 'unknown_symbol' })
  })

  it('is refused by name where there is none', async () => {
    await expect(openExchange('nosuchplace', { now: () => NOW })).rejects.toMatchObject({ code: 'bad_input' })
    expect((await openExchange('kraken', { now: () => NOW })).name).toBe('kraken')
  })
})
