import { fillPosition, flat, isLiquidated, type LocalPosition, liquidationPrice, resultAt } from './isolated-margin.ts'
import { FUTURES_CAPS, FUTURES_LOT, type MarketRules } from './market-rules.ts'
import { newOrderOf } from './new-order-request.ts'
import { type LocalOrder, OrderBook } from './order-book.ts'
import { StopOrders } from './stop-orders.ts'
import { refusals } from './venue-error.ts'

const TAKER = 0.0004

/** Money that moved otherwise than by a trade: GET /fapi/v1/income. */
export interface LocalIncome {
  readonly symbol: string
  readonly incomeType: 'FUNDING_FEE' | 'INSURANCE_CLEAR'
  readonly income: number
  readonly time: number
  readonly tranId: number
}

/** A USD-M futures account: a wallet in USDT, one position a market, its stops, funding and liquidations. */
export class FuturesAccount {
  wallet: number
  /** Whether it holds a long and a short position at once; what else it does, it does one way. */
  hedged = false
  /** Mark prices, where they are not the last ones. */
  readonly marks = new Map<string, number>()
  readonly incomes: LocalIncome[] = []
  /** Settlements of its perpetual futures, oldest first. */
  readonly fundingRates: { symbol: string; fundingTime: number; fundingRate: string; markPrice: string }[] = []
  /** Orders by which positions were liquidated. */
  readonly forced: LocalOrder[] = []
  readonly stops: StopOrders
  readonly positions = new Map<string, LocalPosition>()
  readonly book: OrderBook
  readonly #rules: (symbol: string) => MarketRules
  readonly #last: (symbol: string) => number
  readonly #now: () => number

  constructor(deps: {
    wallet: number
    rules: (symbol: string) => MarketRules
    last: (symbol: string) => number
    now: () => number
    nextShare: () => number | undefined
  }) {
    this.wallet = deps.wallet
    this.#rules = deps.rules
    this.#last = deps.last
    this.#now = deps.now
    this.stops = new StopOrders({
      now: deps.now,
      place: (order, price) => this.book.place(this.#reduced(order), price),
    })
    this.book = new OrderBook({
      now: deps.now,
      nextShare: deps.nextShare,
      lot: FUTURES_LOT,
      refusals: {
        duplicate: refusals.duplicateFuturesOrder,
        noSuchOrder: refusals.noSuchOrder,
        notOpen: refusals.unknownOrder,
        crosses: refusals.wouldTake,
      },
      settle: (order, qty, price) => this.#settle(order, qty, price),
    })
  }

  /** The position of a symbol, flat if there is none yet. */
  position(symbol: string): LocalPosition {
    const { symbol: known } = this.#rules(symbol)
    let position = this.positions.get(known)
    if (position === undefined) {
      position = flat()
      this.positions.set(known, position)
    }
    return position
  }

  /** Takes an order as `POST /fapi/v1/order` brings it. Throws a refusal of the venue's. */
  place(params: URLSearchParams): LocalOrder {
    const market = this.#rules(params.get('symbol') ?? '')
    const last = this.#last(market.symbol)
    if (/^(STOP|TAKE_PROFIT)/.test(params.get('type') ?? '')) throw refusals.algoOnly()
    const wanted = newOrderOf(params, market, FUTURES_LOT, last)
    const price = wanted.type === 'MARKET' ? last : wanted.price
    if (!wanted.reduceOnly && wanted.qty * price < market.minNotional) throw refusals.minNotional(market.minNotional)
    this.book.checkClientId(wanted.clientOrderId)
    const open = this.book.open(market.symbol).length + this.stops.open(market.symbol).length
    if (wanted.type !== 'MARKET' && open >= FUTURES_CAPS.mostOrders) throw refusals.tooManyOpen()
    const { amount, leverage } = this.position(market.symbol)
    const order = wanted.reduceOnly ? this.#reduced(wanted) : wanted
    const signed = order.side === 'BUY' ? order.qty : -order.qty
    const grows = Math.max(0, Math.abs(amount + signed) - Math.abs(amount))
    if ((grows * price) / leverage > this.available()) throw refusals.noMargin()
    return this.book.place(order, last)
  }

  /** Takes a stop as `POST /fapi/v1/algoOrder` brings it. Throws a refusal of the venue's. */
  placeStop(params: URLSearchParams) {
    const market = this.#rules(params.get('symbol') ?? '')
    return this.stops.add(params, market, FUTURES_LOT, this.#last(market.symbol))
  }

  /** The wallet less the margin of positions; an isolated one's result is its own until it is closed. */
  available(): number {
    let sum = this.wallet
    for (const [symbol, p] of this.positions) sum -= p.margin - (p.isolated ? 0 : resultAt(p, this.mark(symbol)))
    return sum
  }

  mark(symbol: string): number {
    return this.marks.get(symbol) ?? this.#last(symbol)
  }

  /** What a range of prices does: orders and stops fill, positions whose margin is gone are liquidated. */
  match(symbol: string, range: { low: number; high: number }): void {
    this.book.match(symbol, range)
    this.stops.match(symbol, range)
    const mark = this.marks.get(symbol)
    if (isLiquidated(this.position(symbol), mark === undefined ? range : { low: mark, high: mark }))
      this.#liquidate(symbol)
  }

  /** Lets longs pay shorts `rate` of the position's value at the mark price, or the reverse where it is negative. */
  fund(symbol: string, rate: number): void {
    const { amount } = this.position(symbol)
    if (amount !== 0) this.#earn(symbol, 'FUNDING_FEE', -rate * amount * this.mark(symbol))
  }

  /** At its liquidation price, and what is left of the margin goes to the insurance fund. */
  #liquidate(symbol: string): void {
    const position = this.position(symbol)
    const price = liquidationPrice(position)
    const { amount, margin } = position
    const before = this.wallet
    const rest = { timeInForce: 'IOC', price: 0, stopPrice: 0, reduceOnly: false }
    const order = this.book.place(
      {
        clientOrderId: `autoclose-${this.#now()}${this.forced.length}`,
        symbol,
        side: amount > 0 ? 'SELL' : 'BUY',
        type: 'MARKET',
        qty: Math.abs(amount),
        ...rest,
      },
      price,
    )
    this.forced.push(order)
    this.#earn(symbol, 'INSURANCE_CLEAR', before - margin - this.wallet)
  }

  #earn(symbol: string, incomeType: LocalIncome['incomeType'], income: number): void {
    this.wallet += income
    this.incomes.push({ symbol, incomeType, income, time: this.#now(), tranId: 9_000_001 + this.incomes.length })
  }

  /** No more than what is held. Throws the refusal where it would not make a position smaller. */
  #reduced<T extends { symbol: string; side: 'BUY' | 'SELL'; qty: number }>(order: T): T {
    const { amount } = this.position(order.symbol)
    if (amount === 0 || (order.side === 'BUY') === amount > 0) throw refusals.reduceOnly()
    return { ...order, qty: Math.min(order.qty, Math.abs(amount)) }
  }

  /** Answers as the venue does; throws its refusal outside of 1 … 125. */
  setLeverage(symbol: string, leverage: number): object {
    if (!(leverage >= 1 && leverage <= 125)) throw refusals.leverage(leverage)
    const position = this.position(symbol)
    position.leverage = leverage
    position.margin = (Math.abs(position.amount) * position.entry) / leverage
    return { leverage, maxNotionalValue: '1000000', symbol }
  }

  /** Answers as the venue does; throws its refusal where it is so already, or a position is open. */
  setMarginType(symbol: string, type: string): object {
    const position = this.position(symbol)
    const isolated = type === 'ISOLATED'
    if (position.isolated === isolated) throw refusals.sameMargin()
    if (position.amount !== 0) throw refusals.marginWithPosition()
    if (this.book.open(symbol).length + this.stops.open(symbol).length > 0) throw refusals.marginWithOrders()
    position.isolated = isolated
    return { code: 200, msg: 'success' }
  }

  #settle(order: LocalOrder, qty: number, price: number) {
    const position = this.position(order.symbol)
    this.wallet += fillPosition(position, order.side === 'BUY' ? qty : -qty, price, FUTURES_LOT)
    const commission = qty * price * TAKER
    this.wallet -= commission
    return { commission, commissionAsset: 'USDT' }
  }
}
