import { BotDraft } from '@shapecast/contracts/bots'
import type { CandleRow } from '@shapecast/contracts/market'
import type { Signal } from '@shapecast/contracts/ml'
import { candlesFromRows } from '@shapecast/engine/candles'
import { confirmSession } from '@shapecast/platform/sessions'
import { BYBIT_CAPS, FUTURES_CAPS, SPOT_CAPS } from '@shapecast/venues/testing/local-exchange/market-rules'
import type { BotMarket } from '../../src/bots/decision-round.ts'
import { assembleRealBots, type RealBotsProcess } from './assemble-real-bots.ts'
import { type Life, mortalDatabase } from './mortal.ts'
import { createRealBench, WIDE_LIMITS } from './real-bench.ts'
import { MINUTE_MS, saying } from './real-soak-script.ts'
import { proven, type ServiceBench } from './service-bench.ts'

interface Script {
  signal: Signal
  edgeBps: number
  /** Orders at the exchange from before the test. */
  before: number
  beforeFutures: number
}

/** Bots with real money on the local exchange, at prices that the test sets; minutes are its candles. */
export async function createRealBotsBench(venue: 'binance' | 'bybit' = 'binance', service?: ServiceBench) {
  const real = await createRealBench(venue, service)
  const { exchange, clock } = real
  // The local Bybit has spot alone.
  const futures = exchange.futures as typeof exchange.futures | undefined
  const rows: CandleRow[] = []
  const ethRows: CandleRow[] = []
  const script: Script = { signal: 'HOLD', edgeBps: 50, before: 0, beforeFutures: 0 }
  const now = () => Date.now() + clock.aheadMs
  const price = () => exchange.data.last('BTCUSDT')!

  const market: Omit<BotMarket, 'forming'> = {
    now: async () => exchange.clock.now(),
    load: async (symbol, _timeframe, { toMs, limit }) =>
      candlesFromRows((symbol === 'ETHUSDT' ? ethRows : rows).filter(([ts]) => ts <= toMs).slice(-limit)),
    rules: async () => ({ lotSize: 0.00001, minNotional: 5, tickSize: 0.01 }),
    price: async (symbol) => exchange.data.last(symbol)!,
  }

  const startProcess = (life?: Life, beforeSend?: () => Promise<void>): RealBotsProcess =>
    assembleRealBots({
      db: life === undefined ? real.db : mortalDatabase(real.db, life),
      venue,
      room: real.roomWith(life === undefined ? {} : { life }),
      market,
      forecast: async ({ version }) => saying(script, version),
      now,
      beforeSend,
    })
  const main = startProcess()

  let made = 0
  const owner = { ...(await real.sessions.verify(real.users.admin.token)), address: 'test' }
  await main.room.keys.put(exchange.credentials, owner)
  await main.room.limits.change(WIDE_LIMITS, owner, proven)
  await main.room.installationLimits.change({ maxBotsNotional: 1e8, maxOrdersAMinute: 1_000 }, owner, proven)

  /** From now on the market stands at this price; what waits for it is filled. */
  function setPrice(to: number, symbol = 'BTCUSDT', minutes = 2): void {
    const minute = Math.floor(exchange.clock.now() / MINUTE_MS) * MINUTE_MS
    for (let k = 0; k <= minutes; k++)
      exchange.data.revise(symbol, { ts: minute + k * MINUTE_MS, open: to, high: to, low: to, close: to, volume: 1 })
    exchange.spot.book.match(symbol, { low: to, high: to })
    futures?.match(symbol, { low: to, high: to })
  }

  const bench = {
    ...real,
    ...main,
    owner,
    script,
    botMarket: market,
    /** Candles that have closed. */
    rows,
    price,
    setPrice,
    startProcess,

    /** A minute at a price ends, or a longer candle: it has closed; of ETH too where its price is given. */
    close(at: number, { eth, stepMs = MINUTE_MS }: { eth?: number; stepMs?: number } = {}): void {
      const set = () => {
        setPrice(at, 'BTCUSDT', stepMs / MINUTE_MS + 1)
        if (eth !== undefined) setPrice(eth, 'ETHUSDT', stepMs / MINUTE_MS + 1)
      }
      set()
      const ts = Math.floor(exchange.clock.now() / stepMs) * stepMs
      exchange.clock.advanceTo(ts + stepMs)
      rows.push([ts, at, at, at, at, 1])
      if (eth !== undefined) ethRows.push([ts, eth, eth, eth, eth, 1])
      set()
    },

    /** What a worker does within a second or so. */
    async tick(process: RealBotsProcess = main): Promise<void> {
      await process.rooms.advance()
    },

    /** What a worker does until nothing is left to do, `aheadMs` later. */
    async settle(aheadMs = 0, process: RealBotsProcess = main): Promise<void> {
      clock.aheadMs += aheadMs
      const overMs = clock.aheadMs + 60_000
      let asks = -1
      for (let asked = -1; asks !== 0 && clock.aheadMs < overMs; clock.aheadMs += 20_000) {
        // Nothing closes meanwhile: what has closed is decided in the first round.
        const look = asked < 0 ? process.rooms.advance : process.rooms.betweenCloses
        asked = exchange.requests.length
        await process.room.reconcileOrders()
        await look()
        // Prices are asked for in every round.
        asks = exchange.requests.slice(asked).filter(({ name }) => !name.includes('ticker')).length
      }
      clock.aheadMs = overMs
    },

    /** A started bot: 0.01 BTC an entry and 1,000 USDT, unless the draft says otherwise. */
    async started(draft: Partial<BotDraft> = {}, process: RealBotsProcess = main): Promise<string> {
      const id = await bench.created(draft, process)
      await process.control.start(id, owner, 'real money')
      return id
    },

    created: (draft: Partial<BotDraft> = {}, process: RealBotsProcess = main): Promise<string> =>
      process.bots.create(
        BotDraft.parse({
          name: `R${++made}`,
          isVirtual: false,
          positionSize: 0.01,
          initialBalance: 1_000,
          mlModelVersion: 'v1',
          ...draft,
          parameters: {
            timeframe: '1m',
            limits: { maxOrderNotional: 1e6, maxPositionNotional: 1e6, maxDayLoss: 1e6, maxDayOrders: 1e4 },
            ...draft.parameters,
          },
        }),
        owner,
      ),

    /** The model says this at the close of a minute at this price, and the worker looks. */
    async says(signal: Signal, at: number): Promise<void> {
      script.signal = signal
      bench.close(at)
      await bench.tick()
    },

    bot: (id: string) => main.bots.show(id, owner),
    balance: (id: string) => main.reads.balance(id, owner),
    trades: (id: string) => main.reads.trades(id, { limit: 100 }, owner),
    orders: (id: string) => main.reads.orders(id, 100, owner),
    decisions: async (id: string) => (await main.reads.decisions(id, { limit: 100, show: 'all' }, owner)).decisions,
    /** Orders at the exchange since `fresh`. */
    sent: () => exchange.spot.book.all.slice(script.before),
    /** On futures; stops that were not triggered are none of them. */
    sentFutures: () => futures?.book.all.slice(script.beforeFutures) ?? [],

    /** Whether the owner has just given their password. */
    confirmed: (is: boolean) => confirmSession(real.db.orm, owner.sid, is ? now() + 1e9 : 0),

    /** Forgets all bots and their orders; the account at the exchange begins again. */
    async fresh(): Promise<void> {
      await bench.confirmed(true)
      exchange.faults.clear()
      // Of a pair either takes the other along.
      for (let [order] = exchange.spot.book.open(); order !== undefined; [order] = exchange.spot.book.open())
        exchange.spot.book.cancel(order)
      Object.assign(exchange.spot, venue === 'bybit' ? BYBIT_CAPS : SPOT_CAPS)
      await real.db.pool.query("delete from trading.accounts where owner_kind = 'bot'")
      await real.db.pool.query('delete from trading.bots')
      await real.db.pool.query('update trading.real_trading set killed_at_ms = null, closing = false')
      exchange.spot.balances.set('USDT', 100_000)
      exchange.spot.balances.set('BTC', 1)
      exchange.spot.balances.set('ETH', 0)
      exchange.spot.feesIn = null
      exchange.spot.makerFee = 0.001
      if (futures !== undefined) {
        for (const stop of futures.stops.open()) futures.stops.cancel(stop)
        futures.stops.mostWaiting = FUTURES_CAPS.mostWaiting
        futures.positions.clear()
        futures.marks.clear()
        futures.incomes.length = 0
        futures.forced.length = 0
        futures.wallet = 100_000
      }
      real.between.wrap = (trading) => trading
      const sent = { before: exchange.spot.book.all.length, beforeFutures: futures?.book.all.length ?? 0 }
      Object.assign(script, { signal: 'HOLD', edgeBps: 50, ...sent })
    },

    async end(): Promise<void> {
      await main.room.close()
      await real.close()
    },
  }
  return bench
}
export type RealBotsBench = Awaited<ReturnType<typeof createRealBotsBench>>
