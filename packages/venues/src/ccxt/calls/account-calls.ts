import type { FeeInterface, Leverage, Order, Position, Trade } from 'ccxt'
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

export type ExchangeLeverage = Partial<Pick<Leverage, 'longLeverage' | 'marginMode'>>

/** What an order or a trade has cost, in one way or the other. */
export interface ExchangeFees {
  readonly fee?: Partial<FeeInterface> | undefined
  readonly fees?: readonly Partial<FeeInterface>[] | undefined
}

export type ExchangeOrder = ExchangeFees &
  Partial<Pick<Order, 'id' | 'clientOrderId' | 'symbol' | 'side' | 'status' | 'type' | 'timestamp'>> &
  Partial<Pick<Order, 'amount' | 'filled' | 'average' | 'price'>> & {
    /** The exchange's reply: for Binance the state of stops and whether an order is one of a pair, for Bybit its own name of the state. */
    readonly info?: Partial<
      Record<'algoId' | 'algoStatus' | 'actualOrderId' | 'orderStatus' | 'contingencyType', unknown>
    >
  }

export type ExchangeTrade = ExchangeFees &
  Partial<Pick<Trade, 'id' | 'price' | 'amount' | 'timestamp'>> & {
    /** Of Bybit with where the next page begins. */
    readonly info?: { readonly nextPageCursor?: string | undefined }
  }

/** `collateral`: money that the position alone has, where its margin is isolated. */
export type ExchangePosition = Partial<
  Pick<Position, 'symbol' | 'side' | 'contracts' | 'contractSize' | 'entryPrice' | 'markPrice' | 'unrealizedPnl'> &
    Pick<Position, 'liquidationPrice' | 'leverage' | 'collateral' | 'marginMode'>
>
