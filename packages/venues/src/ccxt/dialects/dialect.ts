import type { AccountPayment, KeyRights } from '../../live-trading.ts'
import type { AccountCalls, ExchangeOrder, ExchangeTrade } from '../calls/account-calls.ts'
import type { ExchangeMarket } from '../calls/exchange-calls.ts'

/** What ccxt lets be told to use its sandbox. */
export interface SandboxCalls {
  setSandboxMode(on: boolean): void
  enableDemoTrading(on: boolean): void
}

/** An order that is looked for: by the exchange's id where that is known, else by ours. */
export interface OrderName {
  readonly id: string | null
  readonly clientOrderId: string
}

/** Two sales of the same coins at the market, once the price has fallen to the one or risen to the other. */
export interface SalePair {
  readonly quantity: number
  readonly stop: { readonly clientOrderId: string; readonly price: number }
  readonly target: { readonly clientOrderId: string; readonly price: number }
  /** What the request is signed with in addition. */
  readonly params: object
}

/** An order by which the exchange itself has closed a position. */
export interface ForcedOrder {
  readonly id: string
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly average: number
  readonly timestampMs: number
}

/**
 * What an exchange does in its own way and ccxt does not make alike. Each part throws ccxt's errors, `OrderNotFound` for
 * an order that is not there; a part that is left out is done by the calls that ccxt has for all exchanges.
 */
export interface ExchangeDialect {
  /** Options of ccxt's for this exchange alone. */
  readonly options?: object
  /** Leads it to its sandbox, where that is not ccxt's own. */
  readonly enterSandbox?: (exchange: SandboxCalls) => void
  /** Makes an exchange ready that was just opened with keys. */
  readonly prepare?: (exchange: AccountCalls) => void
  /** The parameters that sign a request as of `ms`, the exchange's time: it refuses what arrives too long after that. */
  readonly signedAt?: (ms: number) => object
  /** Refusals, in its words, after which an order may have been taken all the same. */
  readonly doubtful?: RegExp
  /** What the key may do; null where it is not told on this network. */
  readonly keyRights?: (exchange: AccountCalls, testnet: boolean) => Promise<KeyRights | null>
  /** What the exchange calls the account; read from its balances where this is left out. */
  readonly accountId?: (exchange: AccountCalls) => Promise<string | null>
  /** What the exchange has said of an order that was just taken, as `fetchOrder` would say it. It never throws. */
  readonly placedOrder?: (
    exchange: AccountCalls,
    market: ExchangeMarket,
    said: ExchangeOrder,
    type: string,
  ) => Promise<ExchangeOrder>
  /** Sends a stop-loss and a take profit for the same coins; each cancels the other; returns both in this order. */
  readonly placePair?: (
    exchange: AccountCalls,
    market: ExchangeMarket,
    pair: SalePair,
  ) => Promise<readonly [ExchangeOrder, ExchangeOrder]>
  readonly fetchOrder?: (exchange: AccountCalls, market: ExchangeMarket, order: OrderName) => Promise<ExchangeOrder>
  /** Answers the order as it is after that. */
  readonly cancelOrder?: (
    exchange: AccountCalls,
    market: ExchangeMarket,
    clientOrderId: string,
  ) => Promise<ExchangeOrder>
  readonly openOrders?: (exchange: AccountCalls, name: string | undefined) => Promise<readonly ExchangeOrder[]>
  /** All trades of an order. */
  readonly tradesOf?: (exchange: AccountCalls, market: ExchangeMarket, id: string) => Promise<readonly ExchangeTrade[]>
  /** Payments of a market since then that no trade made. */
  readonly payments?: (
    exchange: AccountCalls,
    market: ExchangeMarket,
    sinceMs: number,
  ) => Promise<Omit<AccountPayment, 'symbol'>[]>
  /** Orders by which the exchange has closed positions of a market since then: liquidations above all. */
  readonly forcedOrders?: (exchange: AccountCalls, market: ExchangeMarket, sinceMs: number) => Promise<ForcedOrder[]>
}
