import type { ExchangeCalls, ExchangeMarket, ExchangeTicker } from './exchange-calls.ts'

/** The calls of a ccxt exchange that need a key. */
export interface AccountCalls extends ExchangeCalls {
  fetchBalance(): Promise<ExchangeBalances>
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price: number | undefined,
    params: object,
  ): Promise<ExchangeOrder>
  fetchOrder(id: string, symbol: string, params: object): Promise<ExchangeOrder>
  fetchMyTrades(symbol: string, since: undefined, limit: number, params: object): Promise<readonly ExchangeTrade[]>
  cancelOrder(id: string, symbol: string, params: object): Promise<ExchangeOrder>
  fetchOpenOrders(
    symbol?: string,
    since?: undefined,
    limit?: undefined,
    params?: object,
  ): Promise<readonly ExchangeOrder[]>
  /** Bybit's own. */
  fetchCanceledAndClosedOrders?(
    symbol: string,
    since: undefined,
    limit: undefined,
    params: object,
  ): Promise<readonly ExchangeOrder[]>
  privateGetV5UserQueryApi?(): Promise<{
    readonly result: {
      readonly userID?: unknown
      readonly readOnly?: unknown
      readonly permissions?: Readonly<Record<string, readonly string[]>>
    }
  }>
  fetchMarkPrice(symbol: string): Promise<ExchangeTicker & { readonly markPrice?: number | undefined }>
  fetchPositions(symbols?: readonly string[]): Promise<readonly ExchangePosition[]>
  fetchLeverages(symbols: readonly string[]): Promise<Readonly<Record<string, ExchangeLeverage>>>
  fetchPositionMode(symbol: string): Promise<{ readonly hedged?: boolean | undefined }>
  setLeverage(leverage: number, symbol: string): Promise<unknown>
  setMarginMode(mode: string, symbol: string, params?: object): Promise<unknown>
  /** Binance only: the rights of a key, pairs of orders that cancel each other, forced closes, payments. */
  sapiGetAccountApiRestrictions?(): Promise<{
    readonly enableWithdrawals?: boolean
    readonly enableSpotAndMarginTrading?: boolean
    readonly enableFutures?: boolean
  }>
  fapiPrivateGetForceOrders?(params: object): Promise<
    readonly {
      readonly orderId: unknown
      readonly side: string
      readonly executedQty: string
      readonly avgPrice: string
      readonly time: unknown
    }[]
  >
  fapiPrivateGetIncome?(params: object): Promise<
    readonly {
      readonly incomeType: string
      readonly tranId: unknown
      readonly asset: string
      readonly income: string
      readonly time: unknown
    }[]
  >
  privatePostOrderListOco?(params: object): Promise<{ readonly orderReports?: readonly object[] }>
  amountToPrecision(symbol: string, amount: number): string
  priceToPrecision(symbol: string, price: number): string
  parseOrder(order: object, market?: ExchangeMarket): ExchangeOrder
}

/** Free, used and total by asset, among other things. */
export interface ExchangeBalances {
  /** As the exchange said it; of Binance's spot with `uid`. */
  readonly info?: { readonly uid?: unknown } | undefined
  readonly total: Readonly<Record<string, number | undefined>>
  readonly free: Readonly<Record<string, number | undefined>>
  readonly used: Readonly<Record<string, number | undefined>>
}

export interface ExchangeFee {
  readonly currency?: string | undefined
  readonly cost?: number | undefined
}

export interface ExchangeLeverage {
  readonly longLeverage?: number | undefined
  readonly marginMode?: string | undefined
}

export interface ExchangeOrder {
  /** The exchange's reply: for Binance the state of stops and whether an order is one of a pair, for Bybit its own name of the state. */
  readonly info?:
    | {
        readonly algoId?: unknown
        readonly algoStatus?: unknown
        readonly actualOrderId?: unknown
        readonly orderStatus?: unknown
        readonly contingencyType?: unknown
      }
    | undefined
  readonly id?: string | undefined
  readonly clientOrderId?: string | undefined
  readonly symbol?: string | undefined
  readonly side?: string | undefined
  readonly status?: string | undefined
  readonly amount?: number | undefined
  readonly filled?: number | undefined
  readonly average?: number | undefined
  readonly price?: number | undefined
  readonly type?: string | undefined
  readonly timestamp?: number | undefined
  readonly fee?: ExchangeFee | undefined
  readonly fees?: readonly ExchangeFee[] | undefined
}

export interface ExchangeTrade {
  /** Of Bybit with where the next page begins. */
  readonly info?: { readonly nextPageCursor?: string | undefined } | undefined
  readonly id?: string | undefined
  readonly price?: number | undefined
  readonly amount?: number | undefined
  readonly timestamp?: number | undefined
  readonly fee?: ExchangeFee | undefined
  readonly fees?: readonly ExchangeFee[] | undefined
}

export interface ExchangePosition {
  readonly symbol?: string | undefined
  readonly side?: string | undefined
  readonly contracts?: number | undefined
  readonly contractSize?: number | undefined
  readonly entryPrice?: number | undefined
  readonly markPrice?: number | undefined
  readonly unrealizedPnl?: number | undefined
  readonly liquidationPrice?: number | undefined
  readonly leverage?: number | undefined
  /** Money that the position alone has, where its margin is isolated. */
  readonly collateral?: number | undefined
  readonly marginMode?: string | undefined
}
