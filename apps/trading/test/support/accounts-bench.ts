import type { Market, MarketKind } from '@shapecast/contracts/market'
import type { Prediction } from '@shapecast/contracts/predictions'
import { type Candles, candlesFromRows, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { silentLogger } from '@shapecast/platform/logging'
import type { FastifyInstance } from 'fastify'
import type { AccountMarket } from '../../src/ledger/market-prices.ts'
import { accountRoutes } from '../../src/orders/routes.ts'
import { type OpenAccounts, openAccounts } from './open-accounts.ts'
import { createServiceBench, type Person, type ServiceBench } from './service-bench.ts'

export const START_MS = Date.UTC(2025, 0, 1)
export const MINUTE = 60_000

type Row = [ts: number, open: number, high: number, low: number, close: number, volume: number]

/** A market that says what a test wants: its clock, its prices, its minutes, and those that it has not told yet. */
export interface ScriptedMarket extends AccountMarket {
  nowMs: number
  kind: MarketKind
  readonly prices: Map<string, { last: number; ageMs: number }>
  /** Adds closed minutes that follow the clock, each [open, high, low, close], and moves clock and price on. */
  minutes(symbol: string, ...rows: [open: number, high: number, low: number, close: number][]): void
  /** Open times of minutes that are there but are not told. */
  readonly unreported: Set<number>
}

export function scriptedMarket(): ScriptedMarket {
  const rows: Row[] = []
  const prices = new Map([
    ['BTCUSDT', { last: 100, ageMs: 0 }],
    ['ETHUSDT', { last: 10, ageMs: 0 }],
  ])
  const known = new Set<string>()
  const marketOf = (id: string, over: Partial<Market> = {}): Market => ({
    id,
    symbol: `${id.slice(0, -4)}/${id.slice(-4)}`,
    base: id.slice(0, -4),
    quote: id.slice(-4),
    active: true,
    tickSize: 0.01,
    lotSize: 0.001,
    minNotional: 5,
    ...over,
  })
  const told = (symbol: string, fromMs: number, toMs: number): Candles => {
    if (!known.has(symbol)) return candlesFromRows([])
    const all = candlesFromRows(rows.filter((row) => !market.unreported.has(row[0])))
    return sliceCandles(all, indexAtOrAfter(all, fromMs), indexAtOrAfter(all, toMs + 1))
  }
  const market: ScriptedMarket = {
    venue: 'scripted',
    kind: 'simulated',
    nowMs: START_MS,
    prices,
    unreported: new Set(),
    minutes(symbol, ...added) {
      known.add(symbol)
      for (const candle of added) {
        rows.push([market.nowMs, ...candle, 1])
        market.nowMs += MINUTE
        prices.set(symbol, { last: candle[3], ageMs: 0 })
      }
    },
    now: async () => market.nowMs,
    markets: async () => [
      marketOf('BTCUSDT'),
      marketOf('ETHUSDT'),
      marketOf('OLDUSDT', { active: false }),
      marketOf('BTCEURO', { quote: 'EURO' }),
    ],
    async ticker(symbol) {
      const { last, ageMs } = prices.get(symbol)!
      return { symbol, last, change: null, percentage: null, timestamp: market.nowMs - ageMs }
    },
    candles: async (symbol, _timeframe, { fromMs, toMs }) => told(symbol, fromMs, toMs),
    newest: async (symbol) => told(symbol, 0, market.nowMs),
    missing: async (_symbol, _timeframe, { fromMs, toMs }) =>
      [...market.unreported].filter((ts) => ts >= fromMs && ts <= toMs).length,
  }
  return market
}

/** A prediction at the close of the hour before the clock. */
export const saying = (nowMs: number, over: Partial<Prediction> = {}): Prediction => {
  const closed = Math.floor(nowMs / 3_600_000) * 3_600_000
  return {
    timestamp: closed - 3_600_000,
    aligned_ts: closed,
    signal: 'BUY',
    confidence: 0.61,
    current_price: 100,
    lstm_prediction: 101,
    transformer_prediction: 102,
    stopLoss: 95,
    reasoning: 'By the test.',
    edgeBps: 3,
    verdict: null,
    version: 'v3',
    hash: 'abc',
    ...over,
  }
}

export interface AccountsBench extends ServiceBench {
  market: ScriptedMarket
  room: OpenAccounts
  app: FastifyInstance
  /** What the model says next. */
  said: Partial<Prediction>
  clock: { ms: number }
  /** A signed-in person who has never traded. */
  newcomer(role?: Person['role']): Promise<Person>
  /** A room of another process on the same database and market. */
  anotherRoom(): OpenAccounts
}

/** The accounts room on a database of its own, with a scripted market and a model that says what a test wants. */
export async function createAccountsBench(): Promise<AccountsBench> {
  const bench = await createServiceBench()
  const market = scriptedMarket()
  const clock = { ms: START_MS }
  const anotherRoom = () =>
    openAccounts({
      db: bench.db,
      market,
      predict: async () => saying(market.nowMs, self.said),
      log: silentLogger(),
      now: () => clock.ms,
    })
  const room = anotherRoom()
  const self: AccountsBench = {
    ...bench,
    market,
    room,
    app: bench.mount((service) => accountRoutes(service, room)),
    said: {},
    clock,
    anotherRoom,
    async newcomer(role = 'user') {
      const userId = crypto.randomUUID()
      const { accessToken } = await bench.sessions.issue({ userId, role })
      return { userId, role, address: 'test', token: accessToken }
    },
  }
  return self
}
