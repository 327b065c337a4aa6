import { afterEach, describe, expect, it } from 'vitest'
import type { LiveCandle, LiveVenue, StreamState } from '../live-venue.ts'
import { until } from '../testing/open-local-venue.ts'
import { scriptedExchange } from '../testing/scripted-exchange.ts'
import type { ExchangeCandle, StreamClient } from './calls/exchange-calls.ts'
import { createCcxtVenue } from './ccxt-venue.ts'

const MINUTE = 60_000
const START = Date.UTC(2024, 0, 1)
const row = (minute: number, close: number): ExchangeCandle => [START + minute * MINUTE, 10, 20, 5, close, close]

let venue: LiveVenue | undefined
afterEach(() => venue?.close())

/** An exchange whose stream never says what is final, driven by hand. */
function handDriven() {
  const history: ExchangeCandle[] = []
  const waiting: { resolve: (rows: ExchangeCandle[]) => void; reject: (error: Error) => void }[] = []
  const client: StreamClient = { url: 'ws://x', onError: () => {}, send: async () => undefined, close: () => undefined }
  let nowMs = START
  const exchange = scriptedExchange(history, {
    has: { watchOHLCV: true },
    watchOHLCV: () => new Promise((resolve, reject) => waiting.push({ resolve, reject })),
  })
  venue = createCcxtVenue({ exchange, now: () => nowMs, firstWaitMs: 5, confirmAfterMs: 5, random: () => 0.5 })
  const heard: [LiveCandle['close'], boolean][] = []
  const states: StreamState[] = []
  venue.subscribeCandles(
    'BTCUSDT',
    '1m',
    (candle, closed) => heard.push([candle.close, closed]),
    (state) => states.push(state),
  )
  return {
    history,
    heard,
    states,
    goTo: (minute: number) => {
      nowMs = START + minute * MINUTE
    },
    async say(...rows: ExchangeCandle[]) {
      await until(() => waiting.length > 0, 'a watcher')
      exchange.onConnected(client, {})
      exchange.handleMessage(client, {})
      waiting.shift()!.resolve(rows)
    },
    async fail() {
      await until(() => waiting.length > 0, 'a watcher')
      waiting.shift()!.reject(new Error('gone'))
    },
  }
}

describe('an exchange whose stream never says that a candle is final', () => {
  it('has a candle closed once the next has begun, with the values of its history', async () => {
    const { history, heard, say, goTo, states } = handDriven()
    goTo(0.5)
    await say(row(0, 11))
    await say(row(0, 12))
    await until(() => heard.length === 2, 'two updates')
    history.push(row(0, 13), row(1, 14))
    goTo(1.1)
    await say(row(1, 14))
    await until(() => heard.length === 4, 'the close')
    expect(heard).toEqual([
      [11, false],
      [12, false],
      [14, false],
      [13, true],
    ])
    expect(states).toEqual(['connected'])
  })

  it('is asked again where its history is behind', async () => {
    const { history, heard, say, goTo } = handDriven()
    goTo(0.5)
    await say(row(0, 11))
    goTo(1.01)
    await say(row(1, 14))
    await until(() => heard.length === 2, 'two updates')
    await new Promise((resolve) => setTimeout(resolve, 20))
    history.push(row(0, 13), row(1, 14))
    await until(() => heard.length === 3, 'the close')
    expect(heard[2]).toEqual([13, true])
  })

  it('is watched again after a failure', async () => {
    const { heard, states, say, fail } = handDriven()
    await say(row(0, 11))
    await fail()
    await say(row(0, 12))
    await until(() => heard.length === 2, 'two updates')
    expect(states).toEqual(['connected', 'disconnected', 'connected'])
  })
})
