import type { Network } from '@shapecast/contracts/accounts'
import type { MarketKind } from '@shapecast/contracts/market'
import type { Doer } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { AccountKey } from './account-store.ts'
import type { Quote } from './market-prices.ts'
import type { Units } from './money.ts'
import type { OrderRow } from './tables.ts'

export interface WantedOrder {
  /** Ours: the same for every try of the same order. */
  readonly clientOrderId: string
  readonly side: 'buy' | 'sell'
  readonly type: 'market' | 'limit'
  /** Base; rounded down to the lot. */
  readonly quantity: number
  /** Of a limit order, quote per base. */
  readonly price: number | null
  readonly source: OrderRow['source']
  /** Of an entry: the price of the stop-loss that has to stand over it; null without one. */
  readonly stopPrice: number | null
  /** How far from the average price of the entry it is, percent, where that moves it once that is known. */
  readonly stopPct?: number | null
  /** Of an entry: how far from its average price its take profit has to stand at the exchange, percent; null without. */
  readonly targetPct?: number | null
  /** Of a virtual entry: the price of its take profit; null without one. */
  readonly targetPrice?: number | null
  /** Futures: it only makes a position smaller. */
  readonly reduceOnly?: boolean
  /** Of a limit order that is post-only: how long it rests, ms. */
  readonly restsMs?: number | undefined
  /** The post-only order whose remainder it takes. */
  readonly restOfId?: string | undefined
  /** Of a bot's sale: why. */
  readonly exitReason?: OrderRow['exitReason']
}

/** Base of what was bought here and not sold, or of a position on futures: all of it, and what of it can be closed now. */
export interface Sellable {
  readonly held: number
  readonly free: number
  /** Quote that an order for all that is free has to be worth. */
  readonly leastWorth: number
}

/** One order on its way: made ready, then placed in a transaction that holds the account's lock, then carried out. */
export interface Placing {
  /** Cancels the stops and targets of the symbol, so that what they guard can be closed; `end` puts back those of what was not. */
  freeCoins(): Promise<void>
  /** `side`: of the order that is to close it. */
  sellable(tx: Orm, accountId: string, side?: 'buy' | 'sell'): Promise<Sellable>
  /**
   * Writes the order down: one that we fill is filled, one for an exchange is an intent. Throws `insufficient_funds`,
   * `over_limit` and `unprocessable` with what is wrong, and `venue_unreachable` where the price has become stale.
   */
  place(tx: Orm, accountId: string, wanted: WantedOrder): Promise<OrderRow>
  /** After the commit: does what was written down. An order whose outcome is unknown stays `sending`. */
  carryOut(order: OrderRow): Promise<void>
  /** To be called whatever came of the order. */
  end(): Promise<void>
}

/** Where the orders of one account go: `paper`, where we fill them at the market's prices, or an `exchange`. */
export interface Broker {
  readonly key: AccountKey
  /** Quote that the account is opened with. */
  readonly deposit: Units
  readonly origin: {
    readonly isVirtual: boolean
    readonly venue: string
    readonly market: MarketKind
    readonly network?: Network
  }
  /** What kind of market and money its orders are of, in words, so that nobody takes it for another. */
  notice(orm: Orm): Promise<string>
  /** Throws `unprocessable` where no stop-loss can be placed. */
  requireStops(symbol: string): Promise<void>
  /** Sees, before anything is written, that an order on this side can be carried out. Throws what the exchange throws. */
  prepare(quote: Quote, clientOrderId: string, side: 'buy' | 'sell'): Promise<Placing>
  /** Cancels an order of this account. Throws `conflict` where it is not open any more. */
  cancel(order: OrderRow, doer: Doer): Promise<void>
}
