import type { MarketInterface, MinMax, Precision, Ticker } from 'ccxt'

/** What of a ccxt exchange is called here. ccxt's own classes fit it; so does a scripted one in a test. */
export interface ExchangeCalls {
  readonly id: string
  /** 2: decimals, 3: significant digits, 4: the step itself (ccxt's DECIMAL_PLACES, SIGNIFICANT_DIGITS, TICK_SIZE). */
  readonly precisionMode: number | undefined
  readonly has: Readonly<Record<string, unknown>>
  readonly options: Record<string, unknown>
  loadMarkets(reload?: boolean): Promise<Readonly<Record<string, ExchangeMarket>>>
  fetchTime(): Promise<number | undefined>
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<readonly ExchangeCandle[]>
  fetchTicker(symbol: string): Promise<ExchangeTicker>
  fetchOrderBook(symbol: string, limit: number): Promise<ExchangeBook>
  /** What an exchange can do, by market: the most candles of a page is `fetchOHLCV`, `limit`. */
  featureValue?(symbol: string, method: string, param: string): unknown
  close(): Promise<unknown>
}

/** [open time, open, high, low, close, volume] */
export type ExchangeCandle = readonly (number | undefined)[]

/** The websocket side, where an exchange has one. */
export interface ExchangeStreams extends ExchangeCalls {
  clients: Record<string, StreamClient>
  watchOHLCV(symbol: string, timeframe: string): Promise<readonly ExchangeCandle[]>
  watchOHLCVForSymbols(
    pairs: [string, string][],
  ): Promise<Readonly<Record<string, Readonly<Record<string, readonly ExchangeCandle[]>>>>>
  watchTicker(symbol: string): Promise<ExchangeTicker>
  watchTickers(symbols: string[]): Promise<Readonly<Record<string, ExchangeTicker>>>
  unWatchOHLCV(symbol: string, timeframe: string): Promise<unknown>
  unWatchTicker(symbol: string): Promise<unknown>
  /** The connection to an address, opened on the first call. */
  client(url: string): StreamClient
  handleMessage(client: StreamClient, message: unknown): unknown
  onConnected(client: StreamClient, message?: unknown): unknown
  onError(client: StreamClient, error: unknown): unknown
  onClose(client: StreamClient, error: unknown): unknown
}

/** One websocket connection of ccxt's. */
export interface StreamClient {
  readonly url: string
  onError(error: unknown): void
  send(message: unknown): Promise<unknown>
  close(): unknown
}

export interface ExchangeMarket
  extends Pick<MarketInterface, 'symbol' | 'base' | 'quote'>,
    Partial<Pick<MarketInterface, 'id' | 'spot' | 'swap' | 'linear' | 'active'>> {
  /** As the exchange said it. */
  readonly info?: { readonly orderTypes?: unknown; readonly ocoAllowed?: unknown; readonly filters?: unknown }
  readonly precision: Partial<Precision>
  readonly limits: Readonly<Partial<Record<'cost' | 'amount', Partial<MinMax> | undefined>>>
}

export type ExchangeTicker = Partial<Pick<Ticker, 'last' | 'change' | 'percentage' | 'timestamp'>>

export interface ExchangeBook {
  readonly bids: readonly (readonly number[])[]
  readonly asks: readonly (readonly number[])[]
  readonly timestamp?: number | undefined
}
