import { decimal } from './binance-numbers.ts'
import type { MarketRules } from './market-rules.ts'
import { newOrderOf } from './new-order-request.ts'
import { isOpen, type LocalOrder, OrderBook } from './order-book.ts'
import { refusals } from './venue-error.ts'

const TAKER = 0.001

/** Where an account's news go. */
export type Publish = (event: object) => void

/** A spot account: balances, of which open orders lock a part. */
export class SpotAccount {
  readonly balances: Map<string, number>
  readonly book: OrderBook
  /** Another asset in which fees are taken, and its price in quote; null: of what is received. */
  feesIn: { readonly asset: string; readonly price: number } | null = null
  readonly #rules: (symbol: string) => MarketRules
  readonly #last: (symbol: string) => number
  readonly #now: () => number

  constructor(deps: {
    balances: Readonly<Record<string, number>>
    rules: (symbol: string) => MarketRules
    last: (symbol: string) => number
    now: () => number
    nextShare: () => number | undefined
    publish: Publish
  }) {
    this.balances = new Map(Object.entries(deps.balances))
    this.#rules = deps.rules
    this.#last = deps.last
    this.#now = deps.now
    this.book = new OrderBook({
      now: deps.now,
      nextShare: deps.nextShare,
      duplicate: refusals.duplicateOrder,
      effects: {
        settle: (order, qty, price) => this.#settle(order, qty, price),
        report: (order, execution) => {
          deps.publish(executionReport(order, execution, deps.now()))
          if (execution !== 'NEW') deps.publish(this.#position())
        },
      },
    })
  }

  /** Takes an order as `POST /api/v3/order` brings it. Throws a refusal of the venue's. */
  place(params: URLSearchParams): LocalOrder {
    const market = this.#rules(params.get('symbol') ?? '')
    const last = this.#last(market.symbol)
    const wanted = newOrderOf(params, market, market.lotSize, last)
    const price = wanted.type === 'MARKET' ? last : wanted.type === 'STOP_LOSS' ? wanted.stopPrice : wanted.price
    if (wanted.qty * price < market.minNotional) throw refusals.filter('NOTIONAL')
    this.book.checkClientId(wanted.clientOrderId)
    const [asset, needed] = wanted.side === 'BUY' ? [market.quote, wanted.qty * price] : [market.base, wanted.qty]
    if (this.free(asset) < needed - 1e-12) throw refusals.noFunds()
    return this.book.place(wanted, last)
  }

  /** What an order may use. */
  free(asset: string): number {
    return (this.balances.get(asset) ?? 0) - this.locked(asset)
  }

  /** What open orders hold. */
  locked(asset: string): number {
    let locked = 0
    for (const order of this.book.open()) {
      const { base, quote } = this.#rules(order.symbol)
      const rest = order.qty - order.filled
      if (order.side === 'BUY' && quote === asset) locked += rest * order.price
      if (order.side === 'SELL' && base === asset) locked += rest
    }
    return locked
  }

  /** GET /api/v3/account */
  info(): object {
    return {
      makerCommission: 10,
      takerCommission: 10,
      buyerCommission: 0,
      sellerCommission: 0,
      commissionRates: { maker: '0.00100000', taker: '0.00100000', buyer: '0.00000000', seller: '0.00000000' },
      canTrade: true,
      canWithdraw: true,
      canDeposit: true,
      brokered: false,
      requireSelfTradePrevention: false,
      preventSor: false,
      updateTime: this.#now(),
      accountType: 'SPOT',
      balances: this.#balances().map(([asset, free, locked]) => ({ asset, free, locked })),
      permissions: ['SPOT'],
      uid: 354937868,
    }
  }

  #balances(): [string, string, string][] {
    return [...this.balances.keys()].map((asset) => [asset, decimal(this.free(asset)), decimal(this.locked(asset))])
  }

  #settle(order: LocalOrder, qty: number, price: number) {
    const { base, quote } = this.#rules(order.symbol)
    const [got, gotAmount, gave, gaveAmount] =
      order.side === 'BUY' ? [base, qty, quote, qty * price] : [quote, qty * price, base, qty]
    this.balances.set(gave, (this.balances.get(gave) ?? 0) - gaveAmount)
    this.balances.set(got, (this.balances.get(got) ?? 0) + gotAmount)
    const [commission, asset] =
      this.feesIn === null ? [gotAmount * TAKER, got] : [(qty * price * TAKER) / this.feesIn.price, this.feesIn.asset]
    this.balances.set(asset, (this.balances.get(asset) ?? 0) - commission)
    return { commission, commissionAsset: asset }
  }

  #position(): object {
    const now = this.#now()
    const balances = this.#balances().map(([a, f, l]) => ({ a, f, l }))
    return { e: 'outboundAccountPosition', E: now, u: now, B: balances }
  }
}

/** What both replies say of an order. */
const orderFields = (o: LocalOrder) => ({
  symbol: o.symbol,
  orderId: o.orderId,
  orderListId: -1,
  clientOrderId: o.clientOrderId,
  price: decimal(o.price),
  origQty: decimal(o.qty),
  executedQty: decimal(o.filled),
  origQuoteOrderQty: '0.00000000',
  cummulativeQuoteQty: decimal(o.filledQuote),
  status: o.status,
  timeInForce: o.timeInForce,
  type: o.type,
  side: o.side,
  workingTime: o.timeMs,
  selfTradePreventionMode: 'EXPIRE_MAKER',
})

/** GET /api/v3/order */
export const spotOrderReply = (o: LocalOrder): object => ({
  ...orderFields(o),
  stopPrice: decimal(o.stopPrice),
  icebergQty: '0.00000000',
  time: o.timeMs,
  updateTime: o.updatedMs,
  isWorking: isOpen(o),
})

/** POST /api/v3/order with newOrderRespType=FULL */
export const newSpotOrderReply = (o: LocalOrder): object => ({
  ...orderFields(o),
  transactTime: o.updatedMs,
  fills: o.fills.map((f) => ({
    price: decimal(f.price),
    qty: decimal(f.qty),
    commission: decimal(f.commission),
    commissionAsset: f.commissionAsset,
    tradeId: f.tradeId,
  })),
})

/** GET /api/v3/myTrades of one order */
export const spotTradesReply = (o: LocalOrder): object[] =>
  o.fills.map((f) => ({
    symbol: o.symbol,
    id: f.tradeId,
    orderId: o.orderId,
    orderListId: -1,
    price: decimal(f.price),
    qty: decimal(f.qty),
    quoteQty: decimal(f.qty * f.price),
    commission: decimal(f.commission),
    commissionAsset: f.commissionAsset,
    time: o.updatedMs,
    isBuyer: o.side === 'BUY',
    isMaker: false,
    isBestMatch: true,
  }))

function executionReport(o: LocalOrder, execution: string, now: number): object {
  const fill = execution === 'TRADE' ? o.fills.at(-1) : undefined
  return {
    e: 'executionReport',
    E: now,
    s: o.symbol,
    c: o.clientOrderId,
    S: o.side,
    o: o.type,
    f: o.timeInForce,
    q: decimal(o.qty),
    p: decimal(o.price),
    P: '0.00000000',
    F: '0.00000000',
    g: -1,
    C: '',
    x: execution,
    X: o.status,
    r: 'NONE',
    i: o.orderId,
    l: decimal(fill?.qty ?? 0),
    z: decimal(o.filled),
    L: decimal(fill?.price ?? 0),
    n: decimal(fill?.commission ?? 0),
    N: fill?.commissionAsset ?? null,
    T: o.updatedMs,
    t: fill?.tradeId ?? -1,
    I: 8641984,
    w: isOpen(o),
    m: false,
    M: false,
    O: o.timeMs,
    Z: decimal(o.filledQuote),
    Y: decimal((fill?.qty ?? 0) * (fill?.price ?? 0)),
    Q: '0.00000000',
  }
}
