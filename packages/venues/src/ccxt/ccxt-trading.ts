import { AppError } from '@shapecast/contracts/errors'
import type { LiveTrading, SubAccount, VenueOrder } from '../live-trading.ts'
import type { AccountCalls, ExchangeOrder, ExchangeTrade } from './account-calls.ts'
import { balancesOf, venueFillOf, venueOrderOf, venuePositionOf } from './account-replies.ts'
import { monitorConnections } from './connection-monitor.ts'
import { createKnownMarkets } from './known-markets.ts'
import { type ExchangeSettings, loadExchange } from './load-exchange.ts'
import { OrderStream } from './order-stream.ts'
import { keepReplyFacts } from './reply-facts.ts'
import { createVenueAsker } from './venue-asker.ts'
import { createVenueClock } from './venue-clock.ts'
import { classNames, type Doing } from './venue-errors.ts'

/** Trades of a page, the most that Binance gives. */
const TRADES_AT_ONCE = 1_000

export interface OpenTradingOptions extends ExchangeSettings {
  readonly keys: NonNullable<ExchangeSettings['keys']>
  readonly now?: () => number
  readonly random?: () => number
  /** First wait before a lost websocket is made again, ms. */
  readonly firstWaitMs?: number
}

/** An account at a real exchange. Throws as `loadExchange` does. Close it when done. */
export async function openTrading(id: string, options: OpenTradingOptions): Promise<LiveTrading> {
  const exchange = (await loadExchange(id, options)) as AccountCalls
  return createCcxtTrading({ exchange, ...options })
}

export function createCcxtTrading(deps: { exchange: AccountCalls } & Omit<OpenTradingOptions, 'keys'>): LiveTrading {
  const { exchange, marketType = 'spot', testnet = false, random = Math.random, firstWaitMs = 250 } = deps
  const now = deps.now ?? Date.now
  const askPlain = createVenueAsker({ venue: exchange.id, factsOf: keepReplyFacts(exchange), now: Date.now })
  const clock = createVenueClock({ exchange, ask: askPlain, now })
  const markets = createKnownMarkets({ exchange, ask: askPlain, now, type: marketType })
  const ourIds = new Map<string, string>()

  /** The exchange's name of our symbol. */
  async function nameOf(symbol: string): Promise<string> {
    const market = await markets.of(symbol)
    ourIds.set(market.symbol, symbol)
    return market.symbol
  }
  const ourSymbol = (name: string): string => ourIds.get(name) ?? name.split(':')[0]!.replace('/', '')

  /** Where the venue refuses the time of a request, nothing was done: the clock is read again, and so is the request. */
  async function ask<T>(call: () => Promise<T>, doing: Doing = 'reading'): Promise<T> {
    await clock.measureOnce()
    try {
      return await askPlain(call, doing)
    } catch (error) {
      if (!(error instanceof AppError) || !classNames(error.cause).includes('InvalidNonce')) throw error
      await clock.measure()
      return await askPlain(call, doing)
    }
  }

  /** An order's time of signing is that of its decision: held up anywhere on the way, it is refused by the venue itself. */
  const signedAt = (decidedMs: number): object =>
    'recvWindow' in exchange.options ? { timestamp: Math.round(decidedMs + (clock.reading()?.skewMs ?? 0)) } : {}

  /** Throws `order_ambiguous` or `venue_unreachable` where what came is not the order that was asked about. */
  function requireOurs(
    order: ExchangeOrder,
    ours: Partial<Pick<VenueOrder, 'id' | 'clientOrderId'>>,
    doing: Doing,
  ): void {
    const isOurs = (name: 'id' | 'clientOrderId') =>
      ours[name] === undefined || order[name] === undefined || order[name] === ours[name]
    if ((order.id ?? '') !== '' && isOurs('id') && isOurs('clientOrderId')) return
    throw new AppError(
      doing === 'ordering' ? 'order_ambiguous' : 'venue_unreachable',
      `${exchange.id} answered something that is not this order. It has to be looked up.`,
    )
  }

  const monitor = monitorConnections(exchange, () => performance.now())
  const orders = new OrderStream({
    exchange,
    monitor,
    settings: { random, firstWaitMs },
    prepare: async () => {
      await clock.measureOnce()
      await markets.all()
    },
    ourSymbol,
  })

  const futuresOnly = () => {
    if (marketType === 'spot') throw new AppError('order_rejected', 'Leverage and margin mode are for futures.')
  }

  return {
    name: exchange.id,
    testnet,
    marketType,
    balances: async () => {
      await markets.all()
      return balancesOf(await ask(() => exchange.fetchBalance()))
    },

    accountId: async () => {
      await markets.all()
      const uid = (await ask(() => exchange.fetchBalance())).info?.uid
      return typeof uid === 'string' || typeof uid === 'number' ? String(uid) : null
    },

    async createOrder({ symbol, side, type, quantity, price, clientOrderId, ageMs = 0, reduceOnly }) {
      const decidedMs = now() - ageMs
      const name = await nameOf(symbol)
      if (type === 'stop' && (marketType !== 'spot' || side !== 'sell' || price === undefined))
        throw new AppError('order_rejected', 'A stop order sells on spot, at a price. Nothing was sent.')
      const params = {
        clientOrderId,
        ...(reduceOnly === true ? { reduceOnly } : {}),
        ...(type === 'stop' ? { stopLossPrice: price } : {}),
      }
      const kind = type === 'stop' ? 'market' : type
      // ccxt would take a market order's price to be its cost.
      const limit = type === 'limit' ? price : undefined
      const order = await ask(
        () => exchange.createOrder(name, kind, side, quantity, limit, { ...params, ...signedAt(decidedMs) }),
        'ordering',
      )
      requireOurs(order, { clientOrderId }, 'ordering')
      return venueOrderOf(order, symbol)
    },

    async takesStops(symbol) {
      const types = (await markets.of(symbol)).info?.orderTypes
      return marketType === 'spot' && Array.isArray(types) && types.includes('STOP_LOSS')
    },

    async findOrder(symbol, clientOrderId, id = null) {
      const name = await nameOf(symbol)
      try {
        const order = await ask(() => exchange.fetchOrder(id ?? '', name, id === null ? { clientOrderId } : {}))
        requireOurs(order, id === null ? { clientOrderId } : { id }, 'reading')
        return venueOrderOf(order, symbol)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      }
    },

    async orderFills(symbol, venueOrderId) {
      const name = await nameOf(symbol)
      const page = (from: object) =>
        ask(() => exchange.fetchOrderTrades(venueOrderId, name, undefined, TRADES_AT_ONCE, from))
      // Without a place to begin at these are the newest: all of them, but of an order in very many parts.
      const trades: ExchangeTrade[] = []
      let got = await page({})
      if (got.length < TRADES_AT_ONCE) trades.push(...got)
      else
        for (let fromId = 0n; ; ) {
          got = await page({ fromId: String(fromId) })
          trades.push(...got)
          if (got.length < TRADES_AT_ONCE) break
          for (const { id } of got) if (id !== undefined && BigInt(id) >= fromId) fromId = BigInt(id) + 1n
        }
      return trades.flatMap((trade) => venueFillOf(trade) ?? [])
    },

    async cancelOrder(symbol, clientOrderId) {
      const name = await nameOf(symbol)
      const order = await ask(() => exchange.cancelOrder('', name, { clientOrderId }), 'ordering')
      // What it names as the client order id is that of the cancelling.
      requireOurs(order, {}, 'ordering')
      return venueOrderOf(order, symbol)
    },

    async openOrders(symbol) {
      await markets.all()
      const name = symbol === undefined ? undefined : await nameOf(symbol)
      const all = await ask(() => exchange.fetchOpenOrders(name))
      return all.map((order) => venueOrderOf(order, symbol ?? ourSymbol(order.symbol ?? '')))
    },

    async positions(symbols) {
      if (marketType === 'spot') return []
      await markets.all()
      const names = symbols === undefined ? undefined : await Promise.all(symbols.map(nameOf))
      const all = await ask(() => exchange.fetchPositions(names))
      const open = all.filter((p) => (p.contracts ?? 0) !== 0)
      // Some venues keep the leverage apart from the position.
      const unsaid = open.flatMap((p) => (p.leverage === undefined && p.symbol !== undefined ? [p.symbol] : []))
      const leverages =
        unsaid.length > 0 && exchange.has.fetchLeverages === true
          ? await ask(() => exchange.fetchLeverages(unsaid))
          : {}
      return open.flatMap((p) => {
        const name = p.symbol ?? ''
        return venuePositionOf(p, ourSymbol(name), leverages[name]?.longLeverage) ?? []
      })
    },

    async setLeverage(symbol, leverage) {
      futuresOnly()
      const name = await nameOf(symbol)
      await ask(() => exchange.setLeverage(leverage, name), 'ordering')
    },

    async setMarginMode(symbol, mode) {
      futuresOnly()
      const name = await nameOf(symbol)
      try {
        await ask(() => exchange.setMarginMode(mode, name), 'ordering')
      } catch (error) {
        if (!(error instanceof AppError) || !classNames(error.cause).includes('NoChange')) throw error
      }
    },

    async subAccounts(): Promise<SubAccount[]> {
      if (exchange.has.fetchAccounts === true) {
        const all = await ask(() => exchange.fetchAccounts())
        return all.flatMap(({ id, code }) => (id === undefined ? [] : [{ id, name: code ?? id }]))
      }
      if (exchange.sapiGetSubAccountList === undefined || testnet) return []
      const { subAccounts = [] } = await ask(() => exchange.sapiGetSubAccountList!())
      return subAccounts.map(({ email }) => ({ id: email, name: email }))
    },

    streamsOrders: exchange.has.watchOrders === true,
    subscribeOrders: (onOrder, onState) => orders.subscribe(onOrder, onState),
    websocketOpen: () => monitor.open,
    async close() {
      orders.close()
      await exchange.close()
    },
  }
}
