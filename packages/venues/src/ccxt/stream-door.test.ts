import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LiveVenue, StreamState } from '../live-venue.ts'
import { until } from '../testing/open-local-venue.ts'
import { scriptedExchange } from '../testing/scripted-exchange.ts'
import type { StreamClient } from './calls/exchange-calls.ts'
import { createCcxtVenue } from './ccxt-venue.ts'

const MINUTE = 60_000
const START = Date.UTC(2024, 0, 1)
const client: StreamClient = { url: 'ws://x', onError: () => {}, send: async () => undefined, close: () => undefined }
const exchangeOf = () => scriptedExchange([], { id: 'binance', has: { watchOHLCV: true } })

let exchange: ReturnType<typeof exchangeOf>
let venue: LiveVenue
/** Open time in minutes, and whether it has closed. */
let heard: [number, boolean][]
let states: StreamState[]

/** The exchange says something about the candle that opened so many minutes after the start. */
function say(minute: number, final: boolean): void {
  const k = { s: 'BTCUSDT', i: '1m', t: START + minute * MINUTE, o: '10', h: '12', l: '9', c: '11', v: '5', x: final }
  exchange.handleMessage(client, { e: 'kline', E: START + minute * MINUTE + 1, k })
}

beforeEach(async () => {
  exchange = exchangeOf()
  let watched = false
  exchange.watchOHLCV = () => {
    watched = true
    return new Promise(() => {})
  }
  heard = []
  states = []
  venue = createCcxtVenue({ exchange, now: () => START + 2.5 * MINUTE })
  venue.subscribeCandles(
    'BTCUSDT',
    '1m',
    (candle, closed) => heard.push([(candle.ts - START) / MINUTE, closed]),
    (state) => states.push(state),
  )
  await until(() => watched, 'a watcher')
  exchange.onConnected(client, {})
})
afterEach(() => venue.close())

describe('what a stream says', () => {
  it('leaves out a candle off the grid', () => {
    say(1.5, false)
    say(1.5, true)
    say(2, false)
    expect(heard).toEqual([[2, false]])
  })

  it.each([true, false])('leaves out a candle far ahead, and the series goes on (final: %s)', (final) => {
    say(500, final)
    say(1, true)
    say(2, false)
    expect(heard).toEqual([
      [1, true],
      [2, false],
    ])
  })

  it('after its connection was lost does not count as connected', () => {
    say(1, true)
    exchange.onClose(client, new Error('gone'))
    say(2, false)
    expect(states).toEqual(['connected', 'disconnected'])
    exchange.onConnected(client, {})
    say(2, false)
    expect(states).toEqual(['connected', 'disconnected', 'connected'])
    expect(heard).toEqual([
      [1, true],
      [2, false],
    ])
  })
})
