import type { AccountCalls } from '../ccxt/calls/account-calls.ts'
import { createCcxtTrading } from '../ccxt/ccxt-trading.ts'
import { loadExchange } from '../ccxt/load-exchange.ts'
import { startLocalBybit } from './local-exchange/bybit/local-bybit.ts'
import { type LocalExchangeOptions, startLocalExchange } from './local-exchange/local-exchange.ts'
import { MINUTE_MS, SERIES_START_MS, weekOfMinutes } from './open-local-venue.ts'

let close = async () => {}

/** Ends what was opened last. */
export const closeAccount = (): Promise<void> => close()

type Options = { timeoutMs?: number | undefined } & Partial<LocalExchangeOptions>
const START_MS = SERIES_START_MS + 3000 * MINUTE_MS

interface Opens {
  readonly credentials: { readonly apiKey: string; readonly secret: string }
  readonly urls: object
  close(): Promise<void>
}

async function openAt(exchange: Opens, id: string, marketType: 'spot' | 'futures', timeoutMs = 60_000) {
  const settings = { keys: exchange.credentials, urls: exchange.urls, marketType, timeoutMs }
  const loaded = (await loadExchange(id, settings)) as AccountCalls & { enableRateLimit: boolean }
  // ccxt would wait between the requests of a test as it waits for the real exchange.
  loaded.enableRateLimit = false
  const trading = createCcxtTrading({ exchange: loaded, marketType })
  close = async () => {
    await trading.close()
    await exchange.close()
  }
  return trading
}

/** A local Binance, and an account at it as ccxt opens it. `orders` are those that the exchange has. */
export async function openAccount(marketType: 'spot' | 'futures', { timeoutMs, ...options }: Options = {}) {
  const exchange = await startLocalExchange({ series: weekOfMinutes(), startMs: START_MS, ...options })
  const trading = await openAt(exchange, 'binance', marketType, timeoutMs)
  const price = exchange.data.last('BTCUSDT')!
  const orders = () => (marketType === 'spot' ? exchange.spot : exchange.futures).book.all
  return { exchange, trading, price, orders }
}

/** As `openAccount` on spot, at any of the local exchanges. */
export async function openSpotAccount(id: 'binance' | 'bybit', { timeoutMs, ...options }: Options = {}) {
  if (id === 'binance') return openAccount('spot', { timeoutMs, ...options })
  const exchange = await startLocalBybit({ series: weekOfMinutes(), startMs: START_MS, ...options })
  const trading = await openAt(exchange, id, 'spot', timeoutMs)
  return { exchange, trading, price: exchange.data.last('BTCUSDT')!, orders: () => exchange.spot.book.all }
}
