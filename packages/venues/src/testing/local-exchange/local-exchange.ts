import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Candles } from '@shapecast/engine/candles'
import { binanceProtocol } from './binance-protocol.ts'
import { spotRefusals } from './binance-spot.ts'
import { Faults } from './faults.ts'
import { FuturesAccount } from './futures-account.ts'
import { createMarketClock, type MarketClock } from './market-clock.ts'
import { type LocalCandle, MarketData } from './market-data.ts'
import { type MarketRules, rulesOf, SPOT_CAPS } from './market-rules.ts'
import { klineMessage } from './price-messages.ts'
import type { WeightSettings } from './request-weights.ts'
import { createRestServer } from './rest-server.ts'
import { localRoutes } from './routes.ts'
import { SpotAccount } from './spot-account.ts'
import { Streams } from './streams.ts'
import { TradedRange } from './traded-range.ts'
import { refusals } from './venue-error.ts'

export interface LocalExchangeOptions {
  /** One-minute candles a symbol. */
  readonly series: Readonly<Record<string, Candles>>
  /** Where its clock begins, ms. */
  readonly startMs: number
  /** What it tells as its time and checks signatures with; its clock, which stands while nobody moves it. */
  readonly serverTime?: () => number
  readonly weights?: Partial<WeightSettings>
  readonly spotBalances?: Readonly<Record<string, number>>
  /** 0 by default: any port that is free. */
  readonly port?: number
}

/** Binance's protocol on 127.0.0.1: spot and USD-M futures, REST and websockets, with faults on command. For tests. */
export interface LocalExchange {
  readonly clock: MarketClock
  readonly faults: Faults
  readonly data: MarketData
  readonly streams: Streams
  readonly spot: SpotAccount
  readonly futures: FuturesAccount
  /** What the key may do otherwise than usual, by Binance's names (`enableWithdrawals`). */
  readonly keyRights: Record<string, boolean>
  readonly credentials: { readonly apiKey: string; readonly secret: string }
  /** Makes another key of the account; the one so far is void. */
  rotateKey(): void
  /** What ccxt's `urls` has to be for it to talk to this exchange. */
  readonly urls: { readonly api: Readonly<Record<string, unknown>> }
  readonly address: string
  /** The requests so far, `GET /api/v3/klines`, and when they came (performance.now()). */
  readonly requests: { readonly name: string; readonly at: number }[]
  /** How far its clock is ahead of what it says in `serverTime` and checks signatures with; 0. */
  skewMs: number
  /** Sends the current state of every stream, as on a second's tick. */
  tick(): void
  /** Changes a minute that has closed: in its history from now on and, told by the stream, as a second closing message. */
  revise(symbol: string, candle: LocalCandle, tellStreams?: boolean): void
  close(): Promise<void>
}

const KEY = { key: 'local-key', secret: 'local-secret' }
const MINUTE_MS = 60_000

/** Starts it on 127.0.0.1. `close` it when done. */
export async function startLocalExchange(options: LocalExchangeOptions): Promise<LocalExchange> {
  const clock = createMarketClock(options.startMs)
  const faults = new Faults(() => clock.now())
  const data = new MarketData(new Map(Object.entries(options.series)), () => clock.now())
  const markets = data.symbols.map(rulesOf)
  const requests: { name: string; at: number }[] = []
  const state = { skewMs: 0, keys: 1 }
  const account = { ...KEY }
  const keyRights: Record<string, boolean> = {}
  const serverNow = () => Math.round((options.serverTime ?? clock.now)() + state.skewMs)

  const rules = (symbol: string): MarketRules => {
    const market = markets.find((m) => m.symbol === symbol)
    if (market === undefined) throw refusals.badSymbol()
    return market
  }
  const last = (symbol: string): number => data.last(symbol) ?? 0
  const shared = { rules, last, now: () => clock.now(), nextShare: () => faults.partialFills.shift() }
  const spot = new SpotAccount({
    ...shared,
    balances: options.spotBalances ?? { USDT: 10_000, BTC: 1 },
    caps: SPOT_CAPS,
    refusals: spotRefusals,
  })
  const futures = new FuturesAccount({
    ...shared,
    wallet: 10_000,
  })

  const http = createRestServer({
    routes: localRoutes({ data, markets, now: serverNow, spot, futures, keyRights }),
    faults,
    protocol: binanceProtocol({ weights: options.weights, account, now: serverNow }),
    onRequest: (name, at) => requests.push({ name, at }),
  })
  const streams = new Streams({
    http,
    data,
    faults,
    now: () => clock.now(),
  })
  const traded = new TradedRange(data)
  clock.onStep((now, minuteEnded) => {
    for (const symbol of data.symbols) {
      const range = traded.since(symbol, now)
      if (range === null) continue
      spot.book.match(symbol, range)
      futures.match(symbol, range)
    }
    streams.step(now, minuteEnded)
  })

  await new Promise<void>((resolve) => http.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(http.address() as AddressInfo).port}`

  return {
    clock,
    faults,
    data,
    streams,
    spot,
    futures,
    keyRights,
    requests,
    address,
    get credentials() {
      return { apiKey: account.key, secret: account.secret }
    },
    rotateKey() {
      account.key = `${KEY.key}-${++state.keys}`
    },
    urls: urlsOf(address),
    get skewMs() {
      return state.skewMs
    },
    set skewMs(ms) {
      state.skewMs = ms
      faults.note(`the clock is ${ms} ms off`)
    },
    tick: () => streams.step(clock.now(), false),
    revise(symbol, candle, tellStreams = false) {
      data.revise(symbol, candle)
      faults.note(`${symbol} revised at ${candle.ts}`)
      if (tellStreams)
        streams.say(
          `${symbol.toLowerCase()}@kline_1m`,
          klineMessage(symbol, '1m', MINUTE_MS, candle, clock.now(), true),
        )
    },
    close: () => closeAll(http, streams),
  }
}

function closeAll(http: Server, streams: Streams): Promise<void> {
  streams.close()
  http.closeAllConnections()
  return new Promise((resolve) => http.close(() => resolve()))
}

/** ccxt tells spot streams from others by `/stream` in their address. */
const urlsOf = (address: string) => ({
  api: {
    public: `http://${address}/api/v3`,
    private: `http://${address}/api/v3`,
    sapi: `http://${address}/sapi/v1`,
    fapiPublic: `http://${address}/fapi/v1`,
    fapiPrivate: `http://${address}/fapi/v1`,
    fapiPrivateV2: `http://${address}/fapi/v2`,
    fapiPrivateV3: `http://${address}/fapi/v3`,
    ws: {
      spot: `ws://${address}/stream/ws`,
      future: `ws://${address}/fstream/ws`,
    },
  },
})
