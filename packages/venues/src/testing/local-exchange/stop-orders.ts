import { isMultiple } from './binance-numbers.ts'
import { FUTURES_CAPS, type MarketRules } from './market-rules.ts'
import { clientIdOf, textOf } from './new-order-request.ts'
import type { LocalOrder, NewOrder } from './order-book.ts'
import { refusals } from './venue-error.ts'

/** A stop or take profit of the futures' "algo orders": it waits outside of the order book and places an order once it is triggered. */
export interface LocalStop {
  readonly algoId: number
  readonly clientAlgoId: string
  readonly orderType: 'STOP_MARKET' | 'TAKE_PROFIT_MARKET'
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly qty: number
  readonly triggerPrice: number
  readonly reduceOnly: boolean
  readonly createdMs: number
  updatedMs: number
  status: 'NEW' | 'CANCELED' | 'FINISHED' | 'REJECTED'
  /** What it has placed. */
  placed: LocalOrder | null
}

/** Whether it is triggered by a price that falls: a stop that sells, a take profit that buys. */
const waitsForFall = ({ side, orderType }: Pick<LocalStop, 'side' | 'orderType'>): boolean =>
  (side === 'SELL') === (orderType === 'STOP_MARKET')

/** The stops of one futures account. */
export class StopOrders {
  readonly all: LocalStop[] = []
  /** How many of a symbol may wait at once. */
  mostWaiting = FUTURES_CAPS.mostWaiting
  readonly #now: () => number
  readonly #place: (order: NewOrder, price: number) => LocalOrder

  constructor(deps: { now: () => number; place: (order: NewOrder, price: number) => LocalOrder }) {
    this.#now = deps.now
    this.#place = deps.place
  }

  /** Takes a stop as `POST /fapi/v1/algoOrder` brings it. Throws a refusal of the venue's. */
  add(params: URLSearchParams, market: MarketRules, lot: number, last: number): LocalStop {
    const text = textOf(params)
    const side = text('side')
    if (side !== 'BUY' && side !== 'SELL') throw refusals.missing('side')
    if (text('algoType') !== 'CONDITIONAL') throw refusals.missing('algoType')
    const orderType = text('type')
    if (orderType !== 'STOP_MARKET' && orderType !== 'TAKE_PROFIT_MARKET') throw refusals.missing('type')
    const qty = Number(text('quantity'))
    const triggerPrice = Number(text('triggerPrice'))
    if (!(qty > 0) || !isMultiple(qty, lot)) throw refusals.filter('LOT_SIZE')
    if (!(triggerPrice > 0) || !isMultiple(triggerPrice, market.tickSize)) throw refusals.filter('PRICE_FILTER')
    if (waitsForFall({ side, orderType }) ? last <= triggerPrice : last >= triggerPrice) throw refusals.stopAtOnce()
    const clientAlgoId = clientIdOf(params.get('clientAlgoId') ?? `algo-${this.all.length}`, 'clientAlgoId')
    if (this.all.some((stop) => stop.clientAlgoId === clientAlgoId && stop.status === 'NEW'))
      throw refusals.duplicateFuturesOrder()
    if (this.open(market.symbol).length >= this.mostWaiting) throw refusals.tooManyStops()
    const now = this.#now()
    const stop: LocalStop = {
      algoId: 2_000_001 + this.all.length,
      clientAlgoId,
      orderType,
      symbol: market.symbol,
      side,
      qty,
      triggerPrice,
      reduceOnly: params.get('reduceOnly') === 'true',
      createdMs: now,
      updatedMs: now,
      status: 'NEW',
      placed: null,
    }
    this.all.push(stop)
    return stop
  }

  /** The newest stop of that id. Throws the venue's refusal if there is none. */
  find(id: { algoId: number } | { clientAlgoId: string }): LocalStop {
    const found = this.all.findLast((s) =>
      'algoId' in id ? s.algoId === id.algoId : s.clientAlgoId === id.clientAlgoId,
    )
    if (found === undefined) throw refusals.noSuchOrder()
    return found
  }

  /** Those that wait. */
  open(symbol?: string): LocalStop[] {
    return this.all.filter((s) => s.status === 'NEW' && (symbol === undefined || s.symbol === symbol))
  }

  /** Ends one that waits; throws the venue's refusal where it does not any more. */
  cancel(stop: LocalStop): void {
    if (stop.status !== 'NEW') throw refusals.unknownOrder()
    this.#end(stop, 'CANCELED')
  }

  /** Places what the range of prices has triggered: at the stop's price, or where the market has gone past it. */
  match(symbol: string, { low, high }: { low: number; high: number }): void {
    for (const stop of this.open(symbol)) {
      const { triggerPrice } = stop
      const falls = waitsForFall(stop)
      if (falls ? low > triggerPrice : high < triggerPrice) continue
      const price = falls ? Math.min(triggerPrice, high) : Math.max(triggerPrice, low)
      try {
        stop.placed = this.#place(this.#orderOf(stop), price)
        this.#end(stop, 'FINISHED')
      } catch {
        this.#end(stop, 'REJECTED')
      }
    }
  }

  #orderOf({ algoId, symbol, side, qty, reduceOnly }: LocalStop): NewOrder {
    const rest = { timeInForce: 'GTC', price: 0, stopPrice: 0 }
    // Its own id, which is not the stop's.
    return { clientOrderId: `from-algo-${algoId}`, symbol, side, type: 'MARKET', qty, reduceOnly, ...rest }
  }

  #end(stop: LocalStop, status: LocalStop['status']): void {
    stop.status = status
    stop.updatedMs = this.#now()
  }
}

/** POST and GET /fapi/v1/algoOrder, and its list of open ones */
export const stopReply = (s: LocalStop): object => ({
  algoId: s.algoId,
  clientAlgoId: s.clientAlgoId,
  algoType: 'CONDITIONAL',
  orderType: s.orderType,
  symbol: s.symbol,
  side: s.side,
  positionSide: 'BOTH',
  timeInForce: 'GTC',
  quantity: String(s.qty),
  algoStatus: s.status,
  actualOrderId: s.placed === null ? '' : String(s.placed.orderId),
  actualPrice: s.placed === null || s.placed.filled === 0 ? '0' : String(s.placed.filledQuote / s.placed.filled),
  triggerPrice: String(s.triggerPrice),
  price: '0',
  icebergQuantity: null,
  selfTradePreventionMode: 'NONE',
  workingType: 'CONTRACT_PRICE',
  priceMatch: 'NONE',
  closePosition: false,
  priceProtect: false,
  reduceOnly: s.reduceOnly,
  createTime: s.createdMs,
  updateTime: s.updatedMs,
  triggerTime: s.placed?.timeMs ?? 0,
  goodTillDate: 0,
})
