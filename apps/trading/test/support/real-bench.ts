import { inspect } from 'node:util'
import type { Prediction } from '@shapecast/contracts/predictions'
import { silentLogger } from '@shapecast/platform/logging'
import { openTrading } from '@shapecast/venues/ccxt/ccxt-trading'
import type { LiveTrading } from '@shapecast/venues/live-trading'
import { startLocalBybit } from '@shapecast/venues/testing/local-exchange/bybit/local-bybit'
import { type LocalExchange, startLocalExchange } from '@shapecast/venues/testing/local-exchange/local-exchange'
import { MINUTE_MS, SERIES_START_MS, weekOfMinutes } from '@shapecast/venues/testing/open-local-venue'
import type { FastifyInstance } from 'fastify'
import type { AccountMarket } from '../../src/ledger/market-prices.ts'
import { accountRoutes } from '../../src/orders/routes.ts'
import { saying } from './accounts-bench.ts'
import { liveMarketAt, SECRET_KEY } from './live-market.ts'
import { type Life, mortalDatabase, mortalTrading } from './mortal.ts'
import { type OpenAccounts, openAccounts } from './open-accounts.ts'
import { createServiceBench, type Person, type ServiceBench } from './service-bench.ts'

/** More than any order of a test is worth, so that limits are met only where they are looked at. */
export const WIDE_LIMITS = { maxOrderNotional: 1e9, maxDayNotional: 1e9 }

export interface RealBench extends ServiceBench {
  exchange: LocalExchange
  room: OpenAccounts
  app: FastifyInstance
  market: AccountMarket
  /** Added to the time of this process, ms: moved on to where a lost order is given up. */
  clock: { aheadMs: number }
  said: Partial<Prediction>
  /** All that was logged, errors with all that they carry. */
  logged: string[]
  /** What a test puts between the room and the exchange. */
  between: { wrap: (trading: LiveTrading) => LiveTrading }
  roomWith(settings: { secretKey?: string; testnet?: boolean; market?: AccountMarket; life?: Life }): OpenAccounts
  ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    as?: Person | null,
    key?: string,
  ): Promise<Reply>
}

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  body: any
}

/** The accounts room with an admin's orders going to an exchange on 127.0.0.1. */
export async function createRealBench(
  venue: 'binance' | 'bybit' = 'binance',
  service?: ServiceBench,
): Promise<RealBench> {
  const bench = service ?? (await createServiceBench())
  const startMs = SERIES_START_MS + 3000 * MINUTE_MS
  const options = {
    series: weekOfMinutes(),
    startMs,
    // A clock that stands would have late requests refused.
    serverTime: Date.now,
    // Each test opens its account again: all within a minute are more than the exchange lets one address do.
    weights: { limit: 1e9 },
    spotBalances: { USDT: 100_000, BTC: 1 },
  }
  // Tests of another exchange look at what both have: account, faults, prices.
  const exchange =
    venue === 'binance'
      ? await startLocalExchange(options)
      : ((await startLocalBybit(options)) as unknown as LocalExchange)
  const clock = { aheadMs: 0 }
  const logged: string[] = []
  const note = (...said: unknown[]) => void logged.push(inspect(said, { depth: 20, maxStringLength: null }))
  const log = Object.assign(silentLogger(), { debug: note, info: note, warn: note, error: note })
  const between: RealBench['between'] = { wrap: (trading) => trading }
  const market = liveMarketAt((symbol) => exchange.data.last(symbol)!, venue)
  const self = { said: {} as Partial<Prediction> }
  const roomWith: RealBench['roomWith'] = (settings) =>
    openAccounts({
      db: settings.life === undefined ? bench.db : mortalDatabase(bench.db, settings.life),
      market: settings.market ?? market,
      predict: async () => saying(Date.now(), { current_price: exchange.data.last('BTCUSDT')!, ...self.said }),
      log,
      now: () => Date.now() + clock.aheadMs,
      real: {
        secretKey: settings.secretKey ?? SECRET_KEY,
        testnet: settings.testnet ?? true,
        async open(keys, marketType) {
          const local = { urls: exchange.urls, timeoutMs: 1_000, unlimited: true }
          const opened = await openTrading(venue, { keys, marketType, ...local })
          return between.wrap(settings.life === undefined ? opened : mortalTrading(opened, settings.life))
        },
      },
    })
  const room = roomWith({})
  const app = bench.mount((service) => accountRoutes(service, room))
  return Object.assign(self, {
    ...bench,
    exchange,
    room,
    app,
    market,
    clock,
    logged,
    between,
    roomWith,
    async ask(
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      url: string,
      payload?: object,
      as: Person | null = bench.users.admin,
      key?: string,
    ) {
      const headers = {
        ...(as === null ? {} : { authorization: `Bearer ${as.token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }
      const reply = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
      const json = reply.json()
      return { status: reply.statusCode, body: json.data ?? json }
    },
    async close() {
      await room.close()
      await bench.close()
      await exchange.close()
    },
  })
}
