import type { MarketRules } from './market-rules.ts'
import { type BookRefusals, type LocalOrder, type NewOrder, OrderBook, waits } from './order-book.ts'
import type { VenueError } from './venue-error.ts'

const TAKER = 0.001

/** What an account refuses, in its exchange's words. */
export interface SpotRefusals extends BookRefusals {
  tooSmall(): VenueError
  noFunds(): VenueError
  /** Too many stops and take profits would wait. */
  tooManyWaiting(): VenueError
  /** Too many orders would be open. */
  tooManyOrders(): VenueError
}

/** A spot account of any exchange: balances, of which open orders lock a part. */
export class SpotAccount {
  readonly balances: Map<string, number>
  readonly book: OrderBook
  /** Another asset in which fees are taken, and its price in quote; null: of what is received. */
  feesIn: { readonly asset: string; readonly price: number } | null = null
  /** What an order pays that has rested, ratio. */
  makerFee = TAKER
  /** How many stops and take profits of a symbol may wait at once. */
  mostWaiting: number
  /** How many orders of a symbol may be open at once, those included. */
  mostOrders: number
  readonly #rules: (symbol: string) => MarketRules
  readonly #last: (symbol: string) => number
  readonly #refusals: SpotRefusals
  #lists = 0

  constructor(deps: {
    balances: Readonly<Record<string, number>>
    rules: (symbol: string) => MarketRules
    last: (symbol: string) => number
    now: () => number
    nextShare: () => number | undefined
    caps: { mostWaiting: number; mostOrders: number }
    refusals: SpotRefusals
    /** Told of what becomes of an order. */
  }) {
    this.balances = new Map(Object.entries(deps.balances))
    this.#rules = deps.rules
    this.#last = deps.last
    this.mostWaiting = deps.caps.mostWaiting
    this.mostOrders = deps.caps.mostOrders
    this.#refusals = deps.refusals
    this.book = new OrderBook({
      now: deps.now,
      nextShare: deps.nextShare,
      refusals: deps.refusals,
      settle: (...fill) => this.#settle(...fill),
    })
  }

  /** Takes an order that keeps the market's steps. Throws a refusal of the exchange's. */
  place(wanted: NewOrder): LocalOrder {
    this.#check(wanted)
    this.#checkRoom([wanted])
    return this.book.place(wanted, this.#last(wanted.symbol))
  }

  /** Takes two orders for the same coins, of which either ends the other. Throws a refusal of the exchange's. */
  placeList(wanted: readonly NewOrder[]): LocalOrder[] {
    for (const each of wanted) this.#check(each)
    this.#checkRoom(wanted)
    const listId = ++this.#lists
    return wanted.map((each) => this.book.place({ ...each, listId }, this.#last(each.symbol)))
  }

  #check(wanted: NewOrder): void {
    const market = this.#rules(wanted.symbol)
    const last = this.#last(market.symbol)
    const price = wanted.type === 'MARKET' ? last : waits(wanted) ? wanted.stopPrice : wanted.price
    if (wanted.qty * price < market.minNotional) throw this.#refusals.tooSmall()
    this.book.checkClientId(wanted.clientOrderId)
    const [asset, needed] = wanted.side === 'BUY' ? [market.quote, wanted.qty * price] : [market.base, wanted.qty]
    if (this.free(asset) < needed - 1e-12) throw this.#refusals.noFunds()
  }

  #checkRoom(wanted: readonly NewOrder[]): void {
    const more = wanted.filter(({ type }) => type !== 'MARKET')
    if (more.length === 0) return
    const open = [...this.book.open(more[0]!.symbol), ...more]
    if (open.length > this.mostOrders) throw this.#refusals.tooManyOrders()
    if (more.some(waits) && open.filter(waits).length > this.mostWaiting) throw this.#refusals.tooManyWaiting()
  }

  /** What an order may use. */
  free(asset: string): number {
    return (this.balances.get(asset) ?? 0) - this.locked(asset)
  }

  /** What open orders hold. */
  locked(asset: string): number {
    let locked = 0
    const lists = new Set<number>()
    for (const order of this.book.open()) {
      // The orders of a list are for the same coins.
      if (order.listId !== undefined && lists.has(order.listId)) continue
      if (order.listId !== undefined) lists.add(order.listId)
      const { base, quote } = this.#rules(order.symbol)
      const rest = order.qty - order.filled
      if (order.side === 'BUY' && quote === asset) locked += rest * order.price
      if (order.side === 'SELL' && base === asset) locked += rest
    }
    return locked
  }

  #settle(order: LocalOrder, qty: number, price: number, isMaker: boolean) {
    const { base, quote } = this.#rules(order.symbol)
    const [got, gotAmount, gave, gaveAmount] =
      order.side === 'BUY' ? [base, qty, quote, qty * price] : [quote, qty * price, base, qty]
    this.balances.set(gave, (this.balances.get(gave) ?? 0) - gaveAmount)
    this.balances.set(got, (this.balances.get(got) ?? 0) + gotAmount)
    const fee = isMaker ? this.makerFee : TAKER
    const [commission, asset] =
      this.feesIn === null ? [gotAmount * fee, got] : [(qty * price * fee) / this.feesIn.price, this.feesIn.asset]
    this.balances.set(asset, (this.balances.get(asset) ?? 0) - commission)
    return { commission, commissionAsset: asset }
  }
}
