import { AppError } from '@shapecast/contracts/errors'
import { exchangeOf, type RealMarket, takesTargets } from '@shapecast/contracts/exchanges'
import type { LiveTrading, OrderRequest, VenueOrder } from '../live-trading.ts'
import type { AccountConnection } from './account-connection.ts'
import { venueFillOf, venueOrderOf } from './account-replies.ts'
import type { ExchangeOrder } from './calls/account-calls.ts'
import { allTrades } from './dialects/all-trades.ts'
import { dialectOf } from './dialects/dialects.ts'
import type { Doing } from './venue-errors.ts'

type OrderCalls = Pick<
  LiveTrading,
  | 'createOrder'
  | 'createPair'
  | 'takesStops'
  | 'takesTarget'
  | 'mostWaiting'
  | 'findOrder'
  | 'orderFills'
  | 'cancelOrder'
  | 'openOrders'
>

/** Names of orders that wait for a price and then trade at the market, as markets list them. */
const WAITING = {
  stop: { spot: 'STOP_LOSS', futures: 'STOP_MARKET' },
  take_profit: { spot: 'TAKE_PROFIT', futures: 'TAKE_PROFIT_MARKET' },
} as const

/** The orders of an account: sent, looked up and cancelled. */
export function orderCalls(connection: AccountConnection): OrderCalls {
  const { exchange, marketType, markets, now, ask, prepare, nameOf, ourSymbol, signedAt } = connection
  const {
    fetchOrder = (_, market, { id, clientOrderId }) =>
      exchange.fetchOrder(id ?? '', market.symbol, id === null ? { clientOrderId } : {}),
    cancelOrder = (_, market, clientOrderId) => exchange.cancelOrder('', market.symbol, { clientOrderId }),
    openOrders = (_, name) => exchange.fetchOpenOrders(name),
    tradesOf = allTrades,
    placedOrder = async (_, _market, said) => said,
    placePair,
  } = dialectOf(exchange.id)

  return {
    ...capabilityCalls(connection),

    async createOrder(request) {
      const { symbol, side, type, quantity, price, clientOrderId, ageMs = 0, reduceOnly, postOnly } = request
      const decidedMs = now() - ageMs
      const market = await markets.of(symbol)
      const waits = type === 'stop' || type === 'take_profit'
      if (waits) requireProtective(marketType, request)
      const params = {
        clientOrderId,
        ...(reduceOnly === true ? { reduceOnly } : {}),
        ...(postOnly === true ? { postOnly } : {}),
        ...(type === 'stop' ? { stopLossPrice: price } : {}),
        ...(type === 'take_profit' ? { takeProfitPrice: price } : {}),
      }
      const kind = waits ? 'market' : type
      // ccxt would take a market order's price to be its cost.
      const limit = type === 'limit' ? price : undefined
      const order = await ask(
        () => exchange.createOrder(market.symbol, kind, side, quantity, limit, { ...params, ...signedAt(decidedMs) }),
        'ordering',
      )
      requireOurs(exchange.id, order, { clientOrderId }, 'ordering')
      return venueOrderOf(await placedOrder(exchange, market, order, type), symbol)
    },

    async createPair(stop, target) {
      const { symbol, quantity, ageMs = 0 } = stop
      const decidedMs = now() - ageMs
      const market = await markets.of(symbol)
      const legOf = (request: OrderRequest) => {
        requireProtective(marketType, request)
        return { clientOrderId: request.clientOrderId, price: request.price! }
      }
      const legs = { stop: legOf(stop), target: legOf(target) }
      if (placePair === undefined || marketType !== 'spot')
        throw new AppError('order_rejected', `${exchange.id} takes no pairs of orders here. Nothing was sent.`)
      const params = signedAt(decidedMs)
      const said = await ask(() => placePair(exchange, market, { ...legs, quantity, params }), 'ordering')
      requireOurs(exchange.id, said[0], { clientOrderId: stop.clientOrderId }, 'ordering')
      requireOurs(exchange.id, said[1], { clientOrderId: target.clientOrderId }, 'ordering')
      return [venueOrderOf(said[0], symbol), venueOrderOf(said[1], symbol)]
    },

    async findOrder(symbol, clientOrderId, id = null) {
      const market = await markets.of(symbol)
      try {
        const order = await ask(() => fetchOrder(exchange, market, { id, clientOrderId }))
        requireOurs(exchange.id, order, id === null ? { clientOrderId } : { id }, 'reading')
        return venueOrderOf(order, symbol)
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      }
    },

    async orderFills(symbol, venueOrderId) {
      const market = await markets.of(symbol)
      const trades = await ask(() => tradesOf(exchange, market, venueOrderId))
      return trades.flatMap((trade) => venueFillOf(trade) ?? [])
    },

    async cancelOrder(symbol, clientOrderId) {
      const market = await markets.of(symbol)
      const order = await ask(() => cancelOrder(exchange, market, clientOrderId), 'ordering')
      // What it names as the client order id may be that of the cancelling.
      requireOurs(exchange.id, order, {}, 'ordering')
      return venueOrderOf(order, symbol)
    },

    async openOrders(symbol) {
      await prepare()
      const name = symbol === undefined ? undefined : await nameOf(symbol)
      const all = await ask(() => openOrders(exchange, name))
      return all.map((order) => venueOrderOf(order, symbol ?? ourSymbol(order.symbol ?? '')))
    },
  }
}

/** Throws `order_ambiguous` or `venue_unreachable` where what came is not the order that was asked about. */
function requireOurs(
  venue: string,
  order: ExchangeOrder,
  ours: Partial<Pick<VenueOrder, 'id' | 'clientOrderId'>>,
  doing: Doing,
): void {
  const isOurs = (name: 'id' | 'clientOrderId') =>
    ours[name] === undefined || order[name] === undefined || order[name] === ours[name]
  if ((order.id ?? '') !== '' && isOurs('id') && isOurs('clientOrderId')) return
  throw new AppError(
    doing === 'ordering' ? 'order_ambiguous' : 'venue_unreachable',
    `${venue} answered something that is not this order. It has to be looked up.`,
  )
}

/** Throws `order_rejected` for a stop or take profit that could do anything but end what is held. */
function requireProtective(marketType: RealMarket, { side, price, reduceOnly }: OrderRequest): void {
  const ends = marketType === 'spot' ? side === 'sell' : reduceOnly === true
  if (ends && price !== undefined) return
  throw new AppError(
    'order_rejected',
    'A stop or take profit has a price; on spot it sells, on futures it is reduce-only. Nothing was sent.',
  )
}

/** Which orders that wait for a price an exchange takes, and how many of them. */
function capabilityCalls({
  exchange,
  marketType,
  markets,
}: AccountConnection): Pick<OrderCalls, 'takesStops' | 'takesTarget' | 'mostWaiting'> {
  const can = exchangeOf(exchange.id)?.[marketType]

  /** Whether a market takes orders of a kind, where it says which it takes. */
  async function lists(symbol: string, type: keyof typeof WAITING): Promise<boolean> {
    const types = (await markets.of(symbol)).info?.orderTypes
    return !Array.isArray(types) || types.includes(WAITING[type][marketType])
  }

  return {
    takesStops: async (symbol) => can?.stops === true && (await lists(symbol, 'stop')),

    async takesTarget(symbol, withStop) {
      if (!takesTargets(exchange.id, marketType, withStop)) return false
      const isPair = withStop && can?.targets === 'list'
      if (isPair && (await markets.of(symbol)).info?.ocoAllowed === false) return false
      return lists(symbol, 'take_profit')
    },

    async mostWaiting(symbol) {
      const filters = (await markets.of(symbol)).info?.filters
      const capOf = (type: string, name: string): number | undefined => {
        const filter = Array.isArray(filters) ? filters.find((one) => one?.filterType === type) : undefined
        // Spot and futures name it otherwise.
        const most = Number(filter?.[name] ?? filter?.limit)
        return most >= 0 ? most : undefined
      }
      const none = { conditional: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }
      const known = can?.mostWaiting ?? none
      return {
        conditional: capOf('MAX_NUM_ALGO_ORDERS', 'maxNumAlgoOrders') ?? known.conditional,
        all: capOf('MAX_NUM_ORDERS', 'maxNumOrders') ?? known.all,
      }
    },
  }
}
