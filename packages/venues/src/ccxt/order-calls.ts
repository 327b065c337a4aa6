import { AppError } from '@shapecast/contracts/errors'
import type { LiveTrading, VenueOrder } from '../live-trading.ts'
import type { ExchangeOrder, ExchangeTrade } from './account-calls.ts'
import type { AccountDesk } from './account-desk.ts'
import { venueFillOf, venueOrderOf } from './account-replies.ts'
import type { Doing } from './venue-errors.ts'

/** Trades of a page, the most that Binance gives. */
const TRADES_AT_ONCE = 1_000

type OrderCalls = Pick<
  LiveTrading,
  'createOrder' | 'takesStops' | 'findOrder' | 'orderFills' | 'cancelOrder' | 'openOrders'
>

/** The orders of an account: sent, looked up and cancelled. */
export function orderCalls({ exchange, marketType, markets, now, ...desk }: AccountDesk): OrderCalls {
  const { ask, prepare, nameOf, ourSymbol, signedAt } = desk

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

  return {
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
      await prepare()
      const name = symbol === undefined ? undefined : await nameOf(symbol)
      const all = await ask(() => exchange.fetchOpenOrders(name))
      return all.map((order) => venueOrderOf(order, symbol ?? ourSymbol(order.symbol ?? '')))
    },
  }
}
