import type { VenueError } from './venue-error.ts'

export type OrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED'

export interface LocalFill {
  readonly tradeId: number
  readonly price: number
  readonly qty: number
  readonly commission: number
  readonly commissionAsset: string
  readonly isMaker?: boolean
}

export interface LocalOrder {
  readonly orderId: number
  readonly clientOrderId: string
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly type: string
  readonly timeInForce: string
  /** 0 for a market order and a stop. */
  readonly price: number
  /** 0 for what is no stop. */
  readonly stopPrice: number
  readonly qty: number
  readonly reduceOnly: boolean
  /** It rests, or is refused. */
  readonly postOnly?: boolean
  /** Of an order list: either order of it ends the other. */
  readonly listId?: number
  readonly timeMs: number
  readonly fills: LocalFill[]
  filled: number
  filledQuote: number
  status: OrderStatus
  updatedMs: number
}

export type NewOrder = Pick<
  LocalOrder,
  | 'clientOrderId'
  | 'symbol'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'price'
  | 'stopPrice'
  | 'qty'
  | 'reduceOnly'
  | 'listId'
  | 'postOnly'
>

/** Moves the money of a fill and answers its commission. */
type Settle = (
  order: LocalOrder,
  qty: number,
  price: number,
  isMaker: boolean,
) => { commission: number; commissionAsset: string }

/** What a book refuses, in its exchange's words. */
export interface BookRefusals {
  /** Another order has that client order id. */
  duplicate(): VenueError
  noSuchOrder(): VenueError
  /** It is to be cancelled and has ended. */
  notOpen(): VenueError
  /** It is post-only and would trade at once; null where it is taken all the same, and cancelled. */
  crosses(): VenueError | null
}

/** Whether it can still fill. */
export const isOpen = (order: LocalOrder): boolean => order.status === 'NEW' || order.status === 'PARTIALLY_FILLED'

/** Whether it waits for a price and then trades at the market: a stop, or a take profit. */
export const waits = ({ type }: Pick<LocalOrder, 'type'>): boolean => type === 'STOP_LOSS' || type === 'TAKE_PROFIT'

/** Whether what waits does so for a price that falls. */
export const waitsForFall = ({ side, type }: Pick<LocalOrder, 'side' | 'type'>): boolean =>
  (side === 'SELL') === (type === 'STOP_LOSS')

/** The orders of one account. A market order fills at the last price, a limit order at its own once it is crossed, a stop once it is reached. */
export class OrderBook {
  readonly #orders: LocalOrder[] = []
  readonly #now: () => number
  readonly #settle: Settle
  readonly #refusals: BookRefusals
  /** The share of its quantity at which the next order fills at first; undefined for all. */
  readonly #nextShare: () => number | undefined
  /** Fills are whole lots of it; null for any quantity. */
  readonly #lot: number | null
  #trades = 0

  constructor(deps: {
    now: () => number
    settle: Settle
    refusals: BookRefusals
    nextShare: () => number | undefined
    lot?: number
  }) {
    this.#now = deps.now
    this.#settle = deps.settle
    this.#refusals = deps.refusals
    this.#nextShare = deps.nextShare
    this.#lot = deps.lot ?? null
  }

  get all(): readonly LocalOrder[] {
    return this.#orders
  }

  /** Refuses a client order id that an order has: one that is open, or any at all. */
  checkClientId(clientOrderId: string, unique: 'while_open' | 'always' = 'while_open'): void {
    const clashes = (o: LocalOrder) => o.clientOrderId === clientOrderId && (unique === 'always' || isOpen(o))
    if (this.#orders.some(clashes)) throw this.#refusals.duplicate()
  }

  /** Takes an order, and fills at once what can be. Throws a refusal of the venue's. */
  place(wanted: NewOrder, lastPrice: number): LocalOrder {
    const now = this.#now()
    const isRefused = wanted.postOnly === true && crossed(wanted, lastPrice)
    const refusal = isRefused ? this.#refusals.crosses() : null
    if (refusal !== null) throw refusal
    const order: LocalOrder = {
      ...wanted,
      orderId: 1_000_001 + this.#orders.length,
      timeMs: now,
      updatedMs: now,
      fills: [],
      filled: 0,
      filledQuote: 0,
      status: 'NEW',
    }
    this.#orders.push(order)
    if (isRefused) {
      this.#end(order, 'CANCELED')
      return order
    }
    const marketable = order.type === 'MARKET' || (!waits(order) && crossed(order, lastPrice))
    if (!marketable) return order
    this.#fill(order, this.#firstPart(order), lastPrice)
    // What of a market order finds nobody is given up.
    if (order.type === 'MARKET' && isOpen(order)) this.#end(order, 'EXPIRED')
    return order
  }

  /** The newest order of that id, open or not. */
  find(symbol: string, id: { orderId?: number; clientOrderId?: string }): LocalOrder {
    const found = this.#orders.findLast(
      (o) =>
        o.symbol === symbol &&
        (id.orderId !== undefined ? o.orderId === id.orderId : o.clientOrderId === id.clientOrderId),
    )
    if (found === undefined) throw this.#refusals.noSuchOrder()
    return found
  }

  /** Those that can still fill. */
  open(symbol?: string): LocalOrder[] {
    return this.#orders.filter((o) => isOpen(o) && (symbol === undefined || o.symbol === symbol))
  }

  /** Ends an open order; throws the venue's refusal where it is none. */
  cancel(order: LocalOrder): void {
    if (!isOpen(order)) throw this.#refusals.notOpen()
    for (const each of [order, ...this.#linked(order)]) this.#end(each, 'CANCELED')
  }

  /** Fills what is left of an order that rests, or so much of it, at its price. */
  fillRest(order: LocalOrder, qty = order.qty - order.filled): void {
    if (isOpen(order)) this.#fill(order, qty, order.price, true)
  }

  /** Orders that the range of prices since the last call has crossed fill at their own price. */
  match(symbol: string, range: { low: number; high: number }): void {
    for (const order of this.open(symbol))
      if (!isOpen(order)) continue
      else if (waits(order)) this.#trigger(order, range)
      else if (order.side === 'BUY' ? range.low <= order.price : range.high >= order.price)
        this.#fill(order, order.qty - order.filled, order.price, true)
  }

  /** What waits becomes a market order once its price is reached: it gets that, or what the market has gone on to. */
  #trigger(order: LocalOrder, { low, high }: { low: number; high: number }): void {
    const falls = waitsForFall(order)
    if (falls ? low > order.stopPrice : high < order.stopPrice) return
    for (const other of this.#linked(order)) this.#end(other, 'EXPIRED')
    this.#fill(order, this.#firstPart(order), falls ? Math.min(order.stopPrice, high) : Math.max(order.stopPrice, low))
    if (isOpen(order)) this.#end(order, 'EXPIRED')
  }

  /** What of an order fills at once. */
  #firstPart({ qty }: LocalOrder): number {
    const part = qty * (this.#nextShare() ?? 1)
    return this.#lot === null ? part : Math.min(qty, toEight(Math.max(1, Math.round(part / this.#lot)) * this.#lot))
  }

  /** The others of its list that can still fill. */
  #linked({ listId, orderId }: LocalOrder): LocalOrder[] {
    if (listId === undefined) return []
    return this.#orders.filter((o) => o.listId === listId && o.orderId !== orderId && isOpen(o))
  }

  #fill(order: LocalOrder, qty: number, price: number, isMaker = false): void {
    const { commission, commissionAsset } = this.#settle(order, qty, price, isMaker)
    order.fills.push({ tradeId: ++this.#trades, price, qty, commission, commissionAsset, isMaker })
    order.filled = toEight(order.filled + qty)
    order.filledQuote = toEight(order.filledQuote + qty * price)
    order.status = order.filled >= order.qty - 1e-12 ? 'FILLED' : 'PARTIALLY_FILLED'
    order.updatedMs = this.#now()
  }

  #end(order: LocalOrder, status: 'CANCELED' | 'EXPIRED'): void {
    order.status = status
    order.updatedMs = this.#now()
  }
}

/** Sums are kept to eight decimals, as the exchange writes them. */
const toEight = (value: number): number => Number(value.toFixed(8))

const crossed = (order: Pick<LocalOrder, 'side' | 'price'>, price: number): boolean =>
  order.side === 'BUY' ? order.price >= price : order.price <= price
