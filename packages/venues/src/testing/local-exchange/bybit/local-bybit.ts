import type { AddressInfo } from 'node:net'
import { Faults } from '../faults.ts'
import type { LocalExchangeOptions } from '../local-exchange.ts'
import { createMarketClock, type MarketClock } from '../market-clock.ts'
import { MarketData } from '../market-data.ts'
import { BYBIT_CAPS, type MarketRules, rulesOf } from '../market-rules.ts'
import { createRestServer } from '../rest-server.ts'
import { SpotAccount } from '../spot-account.ts'
import { TradedRange } from '../traded-range.ts'
import { bybitProtocol } from './bybit-protocol.ts'
import { refusals } from './bybit-refusals.ts'
import { bybitRoutes, type HiddenOrders } from './bybit-routes.ts'

/** Bybit's v5 protocol on 127.0.0.1: spot over REST, with faults on command. For tests. */
export interface LocalBybit {
  readonly clock: MarketClock
  readonly faults: Faults
  readonly data: MarketData
  readonly spot: SpotAccount
  readonly credentials: { readonly apiKey: string; readonly secret: string }
  /** What the key may do otherwise than usual, by Bybit's names. */
  readonly permissions: Record<string, string[]>
  /** For how many look-ups each order that comes from now on is not found, though it was taken. */
  readonly hidden: HiddenOrders
  /** Makes another key of the account; the one so far is void. */
  rotateKey(): void
  /** What ccxt's `urls` has to be for it to talk to this exchange. */
  readonly urls: { readonly api: Readonly<Record<string, unknown>> }
  readonly requests: { readonly name: string; readonly at: number }[]
  /** How far its clock is ahead of what it says and checks signatures with; 0. */
  skewMs: number
  close(): Promise<void>
}

const KEY = { key: 'local-key', secret: 'local-secret' }

/** Starts it on 127.0.0.1. `close` it when done. */
export async function startLocalBybit(
  options: Pick<LocalExchangeOptions, 'series' | 'startMs' | 'serverTime' | 'spotBalances'>,
): Promise<LocalBybit> {
  const clock = createMarketClock(options.startMs)
  const faults = new Faults(() => clock.now())
  const data = new MarketData(new Map(Object.entries(options.series)), () => clock.now())
  const markets = data.symbols.map(rulesOf)
  const requests: { name: string; at: number }[] = []
  const account = { ...KEY }
  const state = { skewMs: 0, keys: 1 }
  const permissions: Record<string, string[]> = {}
  const hidden: HiddenOrders = { looks: 0 }
  const now = () => Math.round((options.serverTime ?? clock.now)() + state.skewMs)
  const rules = (symbol: string): MarketRules => {
    const market = markets.find((m) => m.symbol === symbol)
    if (market === undefined) throw refusals.badSymbol()
    return market
  }
  const spot = new SpotAccount({
    balances: options.spotBalances ?? { USDT: 10_000, BTC: 1 },
    rules,
    last: (symbol) => data.last(symbol) ?? 0,
    now: () => clock.now(),
    nextShare: () => faults.partialFills.shift(),
    caps: BYBIT_CAPS,
    refusals,
  })
  const traded = new TradedRange(data)
  clock.onStep((at) => {
    for (const symbol of data.symbols) {
      const range = traded.since(symbol, at)
      if (range !== null) spot.book.match(symbol, range)
    }
  })
  const http = createRestServer({
    routes: bybitRoutes({ data, markets, rules, spot, now, permissions, hidden }),
    faults,
    protocol: bybitProtocol({ account, now }),
    onRequest: (name, at) => requests.push({ name, at }),
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    clock,
    faults,
    data,
    spot,
    permissions,
    hidden,
    requests,
    get credentials() {
      return { apiKey: account.key, secret: account.secret }
    },
    rotateKey() {
      account.key = `${KEY.key}-${++state.keys}`
    },
    urls: { api: { spot: at, futures: at, v2: at, public: at, private: at } },
    get skewMs() {
      return state.skewMs
    },
    set skewMs(ms) {
      state.skewMs = ms
      faults.note(`the clock is ${ms} ms off`)
    },
    close() {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(() => resolve()))
    },
  }
}
