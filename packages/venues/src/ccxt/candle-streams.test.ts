import type { Candles } from '@shapecast/engine/candles'
import { afterEach, describe, expect, it } from 'vitest'
import type { LiveCandle, LiveVenue, StreamState } from '../live-venue.ts'
import type { LocalExchange } from '../testing/local-exchange/local-exchange.ts'
import { MINUTE_MS, openLocalVenue, SERIES_START_MS, until, weekOfMinutes } from '../testing/open-local-venue.ts'
import { candleOf } from './unconfirmed-candles.ts'

const week = weekOfMinutes()
const indexOf = (ts: number): number => (ts - SERIES_START_MS) / MINUTE_MS

let close = async () => {}
afterEach(() => close())

/** A subscriber to one series that keeps what it hears. */
function listen(venue: LiveVenue, symbol: string, series: Candles = week[symbol]!) {
  const heard: { candle: LiveCandle; closed: boolean }[] = []
  const states: StreamState[] = []
  const closed = () => heard.filter((h) => h.closed).map((h) => h.candle)
  const end = venue.subscribeCandles(
    symbol,
    '1m',
    (candle, isClosed) => heard.push({ candle, closed: isClosed }),
    (state) => states.push(state),
  )
  /** The closed candles are these minutes of the series, each once and to the digit. */
  const isExactly = (from: number, to: number) =>
    expect(closed()).toEqual(Array.from({ length: to - from }, (_, i) => candleOf(series, from + i)))
  return { heard, states, closed, isExactly, end }
}

async function open(...args: Parameters<typeof openLocalVenue>) {
  const opened = await openLocalVenue(...args)
  close = opened.close
  return opened
}

/** Lets `minutes` pass in four steps each, with time for the messages to arrive. */
async function pass(exchange: LocalExchange, minutes: number): Promise<void> {
  for (let i = 0; i < minutes * 4; i++) {
    exchange.clock.advance(MINUTE_MS / 4)
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
}

describe('candles by websocket', () => {
  it('form and close as the venue says, in order, for every symbol on one connection', async () => {
    const { exchange, venue } = await open()
    const btc = listen(venue, 'BTCUSDT')
    const eth = listen(venue, 'ETHUSDT')
    await until(() => btc.heard.length > 0 && eth.heard.length > 0, 'first candles')
    expect(exchange.streams.opened).toBe(1)
    expect(venue.websocket().public).toBe(true)
    for (let step = 0; step < 20; step++) {
      const before = btc.heard.length
      exchange.clock.advance(MINUTE_MS / 4)
      await until(() => btc.heard.length > before, 'the next price')
    }
    await until(() => btc.closed().length === 5 && eth.closed().length === 5, 'five closed candles')
    btc.isExactly(3000, 3005)
    eth.isExactly(3000, 3005)
    expect(btc.states).toEqual(['connected'])
    const forming = btc.heard.filter((h) => !h.closed && indexOf(h.candle.ts) === 3001).map((h) => h.candle)
    expect(forming.length).toBeGreaterThanOrEqual(3)
    expect(forming[0]!.high).toBeLessThanOrEqual(forming.at(-1)!.high)
  })

  it('drop what comes twice or overtaken, and take a closing message that comes late', async () => {
    const { exchange, venue } = await open()
    Object.assign(exchange.faults.stream, { duplicateEvery: 3, lateEvery: 5, lateBy: 4 })
    const btc = listen(venue, 'BTCUSDT')
    await until(() => btc.heard.length > 0, 'first candle')
    await pass(exchange, 20)
    await until(() => btc.closed().length >= 20, 'twenty closed candles')
    expect([...btc.closed()].sort((a, b) => a.ts - b.ts)).toEqual(
      Array.from({ length: 20 }, (_, i) => candleOf(week.BTCUSDT!, 3000 + i)),
    )
    const volumes = btc.heard.filter((h) => indexOf(h.candle.ts) === 3010).map((h) => h.candle.volume)
    expect(volumes).toEqual([...volumes].sort((a, b) => a - b))
    expect(exchange.faults.log.map((f) => f.what.split(' of ')[0])).toEqual(
      expect.arrayContaining(['late message', 'message']),
    )
  })

  it('are read from the history when the closing message is lost', async () => {
    const { exchange, venue } = await open()
    const btc = listen(venue, 'BTCUSDT')
    await until(() => btc.heard.length > 0, 'first candle')
    exchange.faults.stream.loseEvery = 5
    await pass(exchange, 10)
    exchange.faults.stream.loseEvery = 0
    await pass(exchange, 1)
    await until(() => new Set(btc.closed().map((c) => c.ts)).size >= 11, 'eleven closed candles')
    expect([...btc.closed()].sort((a, b) => a.ts - b.ts)).toEqual(
      Array.from({ length: 11 }, (_, i) => candleOf(week.BTCUSDT!, 3000 + i)),
    )
    expect(exchange.requests.some((r) => r.name === 'GET /api/v3/klines')).toBe(true)
  })

  it('come again after every lost connection, with a word before and after', async () => {
    const { exchange, venue } = await open()
    const btc = listen(venue, 'BTCUSDT')
    for (let cut = 1; cut <= 4; cut++) {
      await until(() => btc.states.length === cut * 2 - 1, `connected ${cut}`)
      exchange.streams.cut()
      await until(() => btc.states.length === cut * 2, `disconnected ${cut}`)
      expect(btc.states.at(-1)).toBe('disconnected')
      await pass(exchange, 1)
    }
    await until(() => btc.states.length === 9, 'connected again')
    expect(btc.states.at(-1)).toBe('connected')
    // What was missed is for the reader to read, and the history has it.
    const missed = await venue.candles('BTCUSDT', '1m', { fromMs: SERIES_START_MS + 3000 * MINUTE_MS })
    const seen = new Map([
      ...btc.closed().map((c) => [c.ts, c] as const),
      ...Array.from({ length: missed.length }, (_, i) => [missed.ts[i]!, candleOf(missed, i)] as const),
    ])
    const last = (exchange.clock.now() - SERIES_START_MS - 10_000) / MINUTE_MS
    expect([...seen.values()].sort((a, b) => a.ts - b.ts)).toEqual(
      Array.from({ length: last - 3000 }, (_, i) => candleOf(week.BTCUSDT!, 3000 + i)),
    )
  })

  it('are asked for on a new connection where the old one falls silent', async () => {
    const { exchange, venue } = await open({}, { silenceMs: 1_000 })
    const btc = listen(venue, 'BTCUSDT')
    await until(() => btc.states.includes('connected'), 'connected')
    exchange.faults.stream.silent = true
    await until(() => btc.states.at(-1) === 'disconnected', 'disconnected')
    exchange.faults.stream.silent = false
    await until(() => btc.states.at(-1) === 'connected', 'connected again')
    expect(exchange.streams.opened).toBeGreaterThanOrEqual(2)
  })

  it('are reported again when the venue revises them after their close', async () => {
    const { exchange, venue } = await open()
    const btc = listen(venue, 'BTCUSDT')
    await until(() => btc.heard.length > 0, 'first candle')
    await pass(exchange, 2)
    await until(() => btc.closed().length === 2, 'two closed candles')
    const revised = { ...candleOf(week.BTCUSDT!, 3000), close: candleOf(week.BTCUSDT!, 3000).open }
    exchange.revise('BTCUSDT', revised, true)
    await until(() => btc.closed().length === 3, 'the revision')
    expect(btc.closed()[2]).toEqual(revised)
    const [again] = await Promise.all([venue.candles('BTCUSDT', '1m', { fromMs: revised.ts, limit: 10 })])
    expect(candleOf(again, 0)).toEqual(revised)
  })

  it('are reported as the history has them when the venue revises them long after their close', async () => {
    const { exchange, venue } = await open()
    const btc = listen(venue, 'BTCUSDT')
    await until(() => btc.heard.length > 0, 'first candle')
    await pass(exchange, 20)
    await until(() => btc.closed().length === 20, 'twenty closed candles')
    const revised = { ...candleOf(week.BTCUSDT!, 3001), close: candleOf(week.BTCUSDT!, 3001).open }
    exchange.revise('BTCUSDT', revised, true)
    await until(() => btc.closed().length === 21, 'the revision')
    expect(btc.closed()[20]).toEqual(revised)
    // A message about the distant past is not worth reading all that has come since.
    exchange.revise('BTCUSDT', { ...candleOf(week.BTCUSDT!, 100), volume: 1 }, true)
    await pass(exchange, 1)
    await until(() => btc.closed().length === 22, 'the next closed candle')
    expect(indexOf(btc.closed()[21]!.ts)).toBe(3020)
    expect(exchange.requests.filter((r) => r.name === 'GET /api/v3/klines')).toHaveLength(1)
  })

  it('arrive over a connection of their own for futures', async () => {
    const { exchange, venue } = await open({}, { marketType: 'futures' })
    const btc = listen(venue, 'BTCUSDT')
    await until(() => btc.heard.length > 0, 'first candle')
    await pass(exchange, 3)
    await until(() => btc.closed().length === 3, 'three closed candles')
    btc.isExactly(3000, 3003)
  })

  it('come though nothing listened at the address at first', async () => {
    const { exchange, venue } = await open()
    await venue.markets()
    exchange.streams.refuse = true
    const btc = listen(venue, 'BTCUSDT')
    await until(() => exchange.faults.log.some(({ what }) => what.startsWith('refused')), 'a refusal')
    await until(() => !venue.websocket().public, 'the end of the refused connection')
    expect(btc.states).toEqual([])
    exchange.streams.refuse = false
    await until(() => btc.heard.length > 0, 'first candle')
  })

  it('stop with the subscription, and wait for a venue that does not answer yet', async () => {
    const { exchange, venue } = await open()
    exchange.faults.rest({ at: /exchangeInfo/, times: 3, fault: { kind: 'status', status: 503 } })
    const btc = listen(venue, 'BTCUSDT')
    const unknown = listen(venue, 'NOSUCHUSDT', week.BTCUSDT!)
    await until(() => btc.heard.length > 0, 'first candle')
    btc.end()
    const count = btc.heard.length
    await until(() => exchange.streams.subscriptions.length === 0, 'unsubscribed')
    await pass(exchange, 2)
    expect(btc.heard.length).toBe(count)
    expect(unknown.heard).toEqual([])
  })
})

describe('tickers by websocket', () => {
  it('tell the last price and its change over a day, and come again after a lost connection', async () => {
    const { exchange, venue } = await open()
    const heard: number[] = []
    const states: StreamState[] = []
    const end = venue.subscribeTicker(
      'ETHUSDT',
      (t) => heard.push(t.last),
      (s) => states.push(s),
    )
    await until(() => heard.length > 0, 'first ticker')
    const asked = await venue.ticker('ETHUSDT')
    expect(heard[0]).toBe(asked.last)
    exchange.streams.cut()
    await until(() => states.length === 2, 'disconnected')
    const before = heard.length
    await until(() => states.length === 3 && heard.length > before, 'connected')
    exchange.clock.advance(MINUTE_MS)
    await until(() => heard.at(-1) === exchange.data.last('ETHUSDT'), 'the new price')
    end()
  })
})
