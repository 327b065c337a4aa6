import type { Market, Ticker } from '@shapecast/contracts/market'

export type OrderSide = 'buy' | 'sell'
/**
 * `stop` and `take_profit`: trade at the market once the price has got to theirs, at a loss or a gain. On spot they sell; on
 * futures they only close.
 */
export type OrderType = 'market' | 'limit' | 'stop' | 'take_profit'
/** `unknown`: the venue names a state that is none of these. */
export type OrderStatus = 'open' | 'filled' | 'canceled' | 'rejected' | 'expired' | 'unknown'
export type MarginMode = 'isolated' | 'cross'

export interface OrderRequest {
  /** Ours, without slashes. */
  readonly symbol: string
  readonly side: OrderSide
  readonly type: OrderType
  /** Base; a multiple of the lot. */
  readonly quantity: number
  /** Quote per base; of a limit order, or at which a stop or take profit is triggered. */
  readonly price?: number | undefined
  /** Ours: the same for every try of the same order. See `clientOrderId`. */
  readonly clientOrderId: string
  /** How long ago it was decided on, ms; 0. A venue that takes what was signed for a time only takes it that much shorter. */
  readonly ageMs?: number | undefined
  /** Futures: only ever makes a position smaller. */
  readonly reduceOnly?: boolean | undefined
  /** Of a limit order: the venue refuses it, or cancels it at once, where it would trade before it rests. */
  readonly postOnly?: boolean | undefined
}

/** An order as the venue knows it. */
export interface VenueOrder {
  readonly id: string
  readonly clientOrderId: string
  readonly symbol: string
  readonly side: OrderSide
  readonly status: OrderStatus
  /** Base. */
  readonly quantity: number
  readonly filled: number
  /** Average price of what was filled, quote per base; null before the first fill. */
  readonly average: number | null
  /** Limit price; null for a market order. */
  readonly price: number | null
  readonly fees: readonly { readonly asset: string; readonly amount: number }[]
  readonly timestampMs: number | null
}

/** A trade that filled an order, or a part of it. */
export interface VenueFill {
  /** The venue's id of the trade. */
  readonly id: string
  readonly price: number
  /** Base. */
  readonly quantity: number
  readonly fees: VenueOrder['fees']
  readonly timestampMs: number | null
}

export interface AssetBalance {
  readonly asset: string
  readonly free: number
  /** Locked by orders or as margin. */
  readonly used: number
  readonly total: number
}

export interface VenuePosition {
  readonly symbol: string
  readonly side: 'long' | 'short'
  /** Base, positive. */
  readonly quantity: number
  readonly entryPrice: number
  readonly markPrice: number | null
  /** Quote; positive is a gain. */
  readonly unrealisedPnl: number | null
  readonly liquidationPrice: number | null
  readonly leverage: number | null
  /** Quote that is lost where it is liquidated; null where the margin is that of the whole account. */
  readonly margin: number | null
  readonly marginMode: MarginMode | null
}

export interface MarkPrice {
  /** Quote per base. */
  readonly price: number
  readonly timestampMs: number
}

/** Money that moved otherwise than by a trade: funding, and what the venue has kept of the margin of a position that it closed. */
export interface AccountPayment {
  readonly id: string
  readonly kind: 'funding' | 'liquidation'
  readonly symbol: string
  readonly asset: string
  /** Positive raises the balance. */
  readonly amount: number
  readonly timestampMs: number
}

/** An order by which the exchange itself has closed a position: its trades are told by `orderFills`. */
export interface ForcedClose {
  readonly venueOrderId: string
  readonly symbol: string
  readonly side: OrderSide
  /** Base. */
  readonly quantity: number
  readonly average: number
  readonly timestampMs: number
}

/** What a key may do at the exchange. */
export interface KeyRights {
  readonly withdraw: boolean
  readonly spot: boolean
  readonly futures: boolean
}

export interface WaitingCaps {
  /** Stops and take profits. */
  readonly conditional: number
  /** Orders of all kinds, those included. */
  readonly all: number
}

/**
 * An account at a real exchange. Besides what each call says, all throw `venue_unreachable`, `venue_rate_limited` and
 * `venue_auth_failed`.
 */
export interface LiveTrading {
  readonly name: string
  readonly testnet: boolean
  readonly marketType: 'spot' | 'futures'
  balances(): Promise<AssetBalance[]>
  /** The markets of this side of the venue. */
  markets(): Promise<Market[]>
  /** The last price of a symbol there. Throws `unknown_symbol` and `no_candles`. */
  ticker(symbol: string): Promise<Ticker>
  /** Futures: the price that positions are valued and liquidated by. Null where the venue does not tell it. */
  markPrice(symbol: string): Promise<MarkPrice | null>
  /** What the venue calls the account that the key opens: the same under every key of it. Null where it does not tell. */
  accountId(): Promise<string | null>
  /** Null where the venue does not tell. */
  keyRights(): Promise<KeyRights | null>
  /**
   * Sends an order, once. Throws `order_rejected`, `insufficient_funds` or `unknown_symbol` where the venue refuses it,
   * and `order_ambiguous` if its result is unknown: look it up with `findOrder`, and never send it again.
   */
  createOrder(request: OrderRequest): Promise<VenueOrder>
  /**
   * Sends a stop-loss and a take profit for the same coins as one, once: each cancels the other. Returns both in this order.
   * Throws as `createOrder`; each of the two is looked up by its own id.
   */
  createPair(stop: OrderRequest, target: OrderRequest): Promise<readonly [VenueOrder, VenueOrder]>
  /** Whether the venue takes stop orders that sell at the market, for this symbol. */
  takesStops(symbol: string): Promise<boolean>
  /** Whether the venue takes a take profit of this symbol, `withStop` beside a stop-loss of the same quantity. */
  takesTarget(symbol: string, withStop: boolean): Promise<boolean>
  /** How many orders of this symbol the venue lets wait at once in an account; infinite where it names no number. */
  mostWaiting(symbol: string): Promise<WaitingCaps>
  /** Null where the venue knows no order of that client order id; looked up by the venue's own id where that is given. */
  findOrder(symbol: string, clientOrderId: string, venueOrderId?: string | null): Promise<VenueOrder | null>
  /** All trades of an order by the venue's own id: with their fees, which the order itself may leave out. */
  orderFills(symbol: string, venueOrderId: string): Promise<VenueFill[]>
  /** Throws `not_found` if it is no longer open, `order_ambiguous` if its state is unknown. */
  cancelOrder(symbol: string, clientOrderId: string): Promise<VenueOrder>
  openOrders(symbol?: string): Promise<VenueOrder[]>
  /** Open positions; none on spot. */
  positions(symbols?: readonly string[]): Promise<VenuePosition[]>
  /**
   * Futures, before the first order of a symbol: sees that positions are held one way, and that the margin of this one is
   * isolated, with this leverage. What is so already is left alone; asked again it does the same. Throws `unprocessable`
   * with what a person has to change at the venue, or the venue's refusal.
   */
  isolate(symbol: string, leverage: number): Promise<void>
  /** Futures: payments of a symbol since then, oldest first. */
  payments(symbol: string, sinceMs: number): Promise<AccountPayment[]>
  /** Futures: where the venue has closed positions of a symbol by itself since then: liquidations, deleveraging. */
  forcedCloses(symbol: string, sinceMs: number): Promise<ForcedClose[]>
  close(): Promise<void>
}
