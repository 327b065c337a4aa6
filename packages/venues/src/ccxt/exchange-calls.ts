/** What of a ccxt exchange a venue calls. ccxt's own classes fit it; so does a scripted one in a test. */
export interface ExchangeCalls {
  readonly id: string
  /** 2: decimals, 3: significant digits, 4: the step itself (ccxt's DECIMAL_PLACES, SIGNIFICANT_DIGITS, TICK_SIZE). */
  readonly precisionMode: number | undefined
  loadMarkets(): Promise<Readonly<Record<string, ExchangeMarket>>>
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since: number,
    limit: number,
  ): Promise<readonly (readonly (number | undefined)[])[]>
  fetchTicker(symbol: string): Promise<ExchangeTicker>
}

export interface ExchangeMarket {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly spot?: boolean | undefined
  readonly active?: boolean | undefined
  readonly precision: { readonly price?: number | undefined; readonly amount?: number | undefined }
  readonly limits: { readonly cost?: { readonly min?: number | undefined } | undefined }
}

export interface ExchangeTicker {
  readonly last?: number | undefined
  readonly change?: number | undefined
  readonly percentage?: number | undefined
  readonly timestamp?: number | undefined
}
