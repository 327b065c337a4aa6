import { decimal } from './binance-numbers.ts'
import { FUTURES_LOT, type MarketRules } from './market-rules.ts'
import { newOrderOf } from './new-order-request.ts'
import { type LocalOrder, OrderBook } from './order-book.ts'
import type { Publish } from './spot-account.ts'
import { refusals } from './venue-error.ts'

const TAKER = 0.0004
const MAINTENANCE = 0.004

export interface LocalPosition {
  /** Base, negative when short. */
  amount: number
  entry: number
  leverage: number
  isolated: boolean
}

/** A USD-M futures account in one-way mode: a wallet in USDT and one position a market. */
export class FuturesAccount {
  wallet: number
  readonly positions = new Map<string, LocalPosition>()
  readonly book: OrderBook
  readonly #rules: (symbol: string) => MarketRules
  readonly #last: (symbol: string) => number

  constructor(deps: {
    wallet: number
    rules: (symbol: string) => MarketRules
    last: (symbol: string) => number
    now: () => number
    nextShare: () => number | undefined
    publish: Publish
  }) {
    this.wallet = deps.wallet
    this.#rules = deps.rules
    this.#last = deps.last
    this.book = new OrderBook({
      now: deps.now,
      nextShare: deps.nextShare,
      duplicate: refusals.duplicateFuturesOrder,
      effects: {
        settle: (order, qty, price) => this.#settle(order, qty, price),
        report: (order, execution) => {
          if (execution === 'TRADE') deps.publish(this.#accountUpdate(order.symbol, deps.now()))
          deps.publish(orderUpdate(order, execution, deps.now()))
        },
      },
    })
  }

  /** The position of a symbol, flat where there is none yet. */
  position(symbol: string): LocalPosition {
    const { symbol: known } = this.#rules(symbol)
    let position = this.positions.get(known)
    if (position === undefined) {
      position = { amount: 0, entry: 0, leverage: 20, isolated: false }
      this.positions.set(known, position)
    }
    return position
  }

  /** Takes an order as `POST /fapi/v1/order` brings it. Throws a refusal of the venue's. */
  place(params: URLSearchParams): LocalOrder {
    const market = this.#rules(params.get('symbol') ?? '')
    const last = this.#last(market.symbol)
    const wanted = newOrderOf(params, market, FUTURES_LOT, last)
    const price = wanted.type === 'MARKET' ? last : wanted.price
    if (!wanted.reduceOnly && wanted.qty * price < market.minNotional) throw refusals.minNotional(market.minNotional)
    this.book.checkClientId(wanted.clientOrderId)
    const { amount, leverage } = this.position(market.symbol)
    const signed = wanted.side === 'BUY' ? wanted.qty : -wanted.qty
    if (wanted.reduceOnly && (amount === 0 || Math.sign(amount) === Math.sign(signed))) throw refusals.reduceOnly()
    const grows = Math.max(0, Math.abs(amount + signed) - Math.abs(amount))
    if ((grows * price) / leverage > this.available()) throw refusals.noMargin()
    return this.book.place(wanted, last)
  }

  /** Wallet and unrealised result, less the margin of positions. */
  available(): number {
    let sum = this.wallet
    for (const [symbol, p] of this.positions)
      sum += this.#unrealised(symbol, p) - (Math.abs(p.amount) * this.#last(symbol)) / p.leverage
    return sum
  }

  /** Answers as the venue does; throws its refusal outside of 1 … 125. */
  setLeverage(symbol: string, leverage: number): object {
    if (!(leverage >= 1 && leverage <= 125)) throw refusals.leverage(leverage)
    this.position(symbol).leverage = leverage
    return { leverage, maxNotionalValue: '1000000', symbol }
  }

  /** Answers as the venue does; throws its refusal where it is so already, or a position is open. */
  setMarginType(symbol: string, type: string): object {
    const position = this.position(symbol)
    const isolated = type === 'ISOLATED'
    if (position.isolated === isolated) throw refusals.sameMargin()
    if (position.amount !== 0) throw refusals.marginWithPosition()
    position.isolated = isolated
    return { code: 200, msg: 'success' }
  }

  /** GET /fapi/v3/positionRisk */
  risk(now: number, symbol?: string): object[] {
    return [...this.positions]
      .filter(([s, p]) => p.amount !== 0 && (symbol === undefined || s === symbol))
      .map(([s, p]) => {
        const mark = this.#last(s)
        const notional = p.amount * mark
        const margin = Math.abs(notional) / p.leverage
        return {
          symbol: s,
          positionSide: 'BOTH',
          positionAmt: String(p.amount),
          entryPrice: String(p.entry),
          breakEvenPrice: String(p.entry),
          markPrice: decimal(mark),
          unRealizedProfit: decimal(this.#unrealised(s, p)),
          liquidationPrice: decimal(p.entry * (1 - Math.sign(p.amount) * (1 / p.leverage - MAINTENANCE))),
          isolatedMargin: p.isolated ? decimal(margin) : '0',
          notional: decimal(notional),
          marginAsset: 'USDT',
          isolatedWallet: p.isolated ? decimal(margin) : '0',
          initialMargin: decimal(margin),
          maintMargin: decimal(Math.abs(notional) * MAINTENANCE),
          positionInitialMargin: decimal(margin),
          openOrderInitialMargin: '0',
          adl: 2,
          bidNotional: '0',
          askNotional: '0',
          updateTime: now,
        }
      })
  }

  /** GET /fapi/v3/account */
  info(now: number): object {
    const unrealised = [...this.positions].reduce((sum, [s, p]) => sum + this.#unrealised(s, p), 0)
    const available = decimal(this.available())
    const asset = {
      asset: 'USDT',
      walletBalance: decimal(this.wallet),
      unrealizedProfit: decimal(unrealised),
      marginBalance: decimal(this.wallet + unrealised),
      maintMargin: '0',
      initialMargin: decimal(this.wallet + unrealised - this.available()),
      positionInitialMargin: decimal(this.wallet + unrealised - this.available()),
      openOrderInitialMargin: '0',
      crossWalletBalance: decimal(this.wallet),
      crossUnPnl: decimal(unrealised),
      availableBalance: available,
      maxWithdrawAmount: available,
      updateTime: now,
    }
    return {
      totalInitialMargin: asset.initialMargin,
      totalMaintMargin: '0',
      totalWalletBalance: asset.walletBalance,
      totalUnrealizedProfit: asset.unrealizedProfit,
      totalMarginBalance: asset.marginBalance,
      totalPositionInitialMargin: asset.positionInitialMargin,
      totalOpenOrderInitialMargin: '0',
      totalCrossWalletBalance: asset.walletBalance,
      totalCrossUnPnl: asset.unrealizedProfit,
      availableBalance: available,
      maxWithdrawAmount: available,
      assets: [asset],
      positions: this.risk(now),
    }
  }

  #unrealised(symbol: string, p: LocalPosition): number {
    return p.amount === 0 ? 0 : p.amount * (this.#last(symbol) - p.entry)
  }

  #settle(order: LocalOrder, qty: number, price: number) {
    const position = this.position(order.symbol)
    const signed = order.side === 'BUY' ? qty : -qty
    const closing = Math.sign(signed) === -Math.sign(position.amount) ? Math.min(qty, Math.abs(position.amount)) : 0
    this.wallet += closing * Math.sign(position.amount) * (price - position.entry)
    const opening = qty - closing
    const rest = Math.abs(position.amount) - closing
    if (opening > 0) position.entry = (rest * position.entry + opening * price) / (rest + opening)
    // Quantities are whole lots: keep the sums free of the last bits of a double.
    position.amount = Math.round((position.amount + signed) / FUTURES_LOT) * FUTURES_LOT
    if (Math.abs(position.amount) < FUTURES_LOT / 2) position.amount = 0
    if (position.amount === 0) position.entry = 0
    const commission = qty * price * TAKER
    this.wallet -= commission
    return { commission, commissionAsset: 'USDT' }
  }

  #accountUpdate(symbol: string, now: number): object {
    const p = this.position(symbol)
    return {
      e: 'ACCOUNT_UPDATE',
      E: now,
      T: now,
      a: {
        m: 'ORDER',
        B: [{ a: 'USDT', wb: decimal(this.wallet), cw: decimal(this.wallet), bc: '0' }],
        P: [
          {
            s: symbol,
            pa: String(p.amount),
            ep: String(p.entry),
            bep: String(p.entry),
            cr: '0',
            up: decimal(this.#unrealised(symbol, p)),
            mt: p.isolated ? 'isolated' : 'cross',
            iw: '0',
            ps: 'BOTH',
          },
        ],
      },
    }
  }
}

/** GET and POST /fapi/v1/order */
export const futuresOrderReply = (o: LocalOrder): object => ({
  orderId: o.orderId,
  symbol: o.symbol,
  status: o.status,
  clientOrderId: o.clientOrderId,
  price: String(o.price),
  avgPrice: o.filled > 0 ? (o.filledQuote / o.filled).toFixed(8) : '0.00',
  origQty: String(o.qty),
  executedQty: String(o.filled),
  cumQty: String(o.filled),
  cumQuote: decimal(o.filledQuote),
  timeInForce: o.timeInForce,
  type: o.type,
  reduceOnly: o.reduceOnly,
  closePosition: false,
  side: o.side,
  positionSide: 'BOTH',
  stopPrice: '0',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  origType: o.type,
  priceMatch: 'NONE',
  selfTradePreventionMode: 'NONE',
  goodTillDate: 0,
  time: o.timeMs,
  updateTime: o.updatedMs,
})

function orderUpdate(o: LocalOrder, execution: string, now: number): object {
  const fill = execution === 'TRADE' ? o.fills.at(-1) : undefined
  return {
    e: 'ORDER_TRADE_UPDATE',
    E: now,
    T: o.updatedMs,
    o: {
      s: o.symbol,
      c: o.clientOrderId,
      S: o.side,
      o: o.type,
      f: o.timeInForce,
      q: String(o.qty),
      p: String(o.price),
      ap: o.filled > 0 ? (o.filledQuote / o.filled).toFixed(8) : '0',
      sp: '0',
      x: execution,
      X: o.status,
      i: o.orderId,
      l: String(fill?.qty ?? 0),
      z: String(o.filled),
      L: String(fill?.price ?? 0),
      N: 'USDT',
      n: decimal(fill?.commission ?? 0),
      T: o.updatedMs,
      t: fill?.tradeId ?? 0,
      b: '0',
      a: '0',
      m: false,
      R: o.reduceOnly,
      wt: 'CONTRACT_PRICE',
      ot: o.type,
      ps: 'BOTH',
      cp: false,
      rp: '0',
      pP: false,
      si: 0,
      ss: 0,
    },
  }
}
