import { AppError } from '@shapecast/contracts/errors'
import type { LiveTrading, SubAccount } from '../live-trading.ts'
import type { AccountCalls } from './account-calls.ts'
import { balancesOf, venueFillOf, venueOrderOf, venuePositionOf } from './account-replies.ts'
import { monitorConnections } from './connection-monitor.ts'
import { createKnownMarkets } from './known-markets.ts'
import { type ExchangeSettings, loadExchange } from './load-exchange.ts'
import { OrderStream } from './order-stream.ts'
import { keepReplyFacts } from './reply-facts.ts'
import { createVenueAsker } from './venue-asker.ts'
import { createVenueClock } from './venue-clock.ts'
import { classNames, type Doing } from './venue-errors.ts'

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

    async createOrder({ symbol, side, type, quantity, price, clientOrderId, reduceOnly }) {
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
      const order = await ask(() => exchange.createOrder(name, kind, side, quantity, limit, params), 'ordering')
      return venueOrderOf(order, symbol)
    },

    async takesStops(symbol) {
      const types = (await markets.of(symbol)).info?.orderTypes
      return marketType === 'spot' && Array.isArray(types) && types.includes('STOP_LOSS')
    },

    async findOrder(symbol, clientOrderId) {
      const name = await nameOf(symbol)
      try {
        return venueOrderOf(await ask(() => exchange.fetchOrder('', name, { clientOrderId })), symbol)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      }
    },

    async orderFills(symbol, venueOrderId) {
      const name = await nameOf(symbol)
      const trades = await ask(() => exchange.fetchOrderTrades(venueOrderId, name))
      return trades.flatMap((trade) => venueFillOf(trade) ?? [])
    },

    async cancelOrder(symbol, clientOrderId) {
      const name = await nameOf(symbol)
      const order = await ask(() => exchange.cancelOrder('', name, { clientOrderId }), 'ordering')
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
