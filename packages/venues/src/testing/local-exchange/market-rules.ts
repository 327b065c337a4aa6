/** The rules of one market, spot and futures alike. */
export interface MarketRules {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly tickSize: number
  readonly lotSize: number
  readonly minNotional: number
  readonly trading: boolean
}

/** The steps and least values of a market, as large as Binance has them for BTCUSDT. */
export const rulesOf = (symbol: string): MarketRules => ({
  symbol,
  base: symbol.replace(/USDT$/, ''),
  quote: 'USDT',
  tickSize: 0.01,
  lotSize: 0.00001,
  minNotional: 5,
  trading: true,
})

const limits = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 },
  { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 100 },
  { rateLimitType: 'ORDERS', interval: 'DAY', intervalNum: 1, limit: 200_000 },
]
const step = (value: number) => value.toFixed(8)

/** Orders of a symbol that an account may have open at once, and of them stops and take profits: at Binance on spot. */
export const SPOT_CAPS = { mostWaiting: 5, mostOrders: 200 }
/** The same on futures. */
export const FUTURES_CAPS = { mostWaiting: 10, mostOrders: 200 }
/** The same at Bybit on spot. */
export const BYBIT_CAPS = { mostWaiting: 30, mostOrders: 500 }

/** GET /api/v3/exchangeInfo */
export const spotExchangeInfo = (markets: readonly MarketRules[], serverTime: number) => ({
  timezone: 'UTC',
  serverTime,
  rateLimits: limits,
  exchangeFilters: [],
  symbols: markets.map((m) => ({
    symbol: m.symbol,
    status: m.trading ? 'TRADING' : 'BREAK',
    baseAsset: m.base,
    baseAssetPrecision: 8,
    quoteAsset: m.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'],
    icebergAllowed: true,
    ocoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: [
      {
        filterType: 'PRICE_FILTER',
        minPrice: step(m.tickSize),
        maxPrice: '1000000.00000000',
        tickSize: step(m.tickSize),
      },
      { filterType: 'LOT_SIZE', minQty: step(m.lotSize), maxQty: '9000.00000000', stepSize: step(m.lotSize) },
      { filterType: 'MARKET_LOT_SIZE', minQty: '0.00000000', maxQty: '120.00000000', stepSize: '0.00000000' },
      {
        filterType: 'NOTIONAL',
        minNotional: step(m.minNotional),
        applyMinToMarket: true,
        maxNotional: '9000000.00000000',
        applyMaxToMarket: false,
        avgPriceMins: 5,
      },
      { filterType: 'MAX_NUM_ORDERS', maxNumOrders: SPOT_CAPS.mostOrders },
      { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: SPOT_CAPS.mostWaiting },
    ],
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
  })),
})

/** GET /fapi/v1/exchangeInfo */
export const futuresExchangeInfo = (markets: readonly MarketRules[], serverTime: number) => ({
  timezone: 'UTC',
  serverTime,
  futuresType: 'U_MARGINED',
  rateLimits: limits,
  exchangeFilters: [],
  assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
  symbols: markets.map((m) => ({
    symbol: m.symbol,
    pair: m.symbol,
    contractType: 'PERPETUAL',
    deliveryDate: 4_133_404_800_000,
    onboardDate: 1_569_398_400_000,
    status: m.trading ? 'TRADING' : 'SETTLING',
    maintMarginPercent: '2.5000',
    requiredMarginPercent: '5.0000',
    baseAsset: m.base,
    quoteAsset: m.quote,
    marginAsset: m.quote,
    pricePrecision: 2,
    quantityPrecision: 3,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: 'COIN',
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: String(m.tickSize), maxPrice: '4529764', tickSize: String(m.tickSize) },
      { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '1000', stepSize: '0.001' },
      { filterType: 'MARKET_LOT_SIZE', minQty: '0.001', maxQty: '120', stepSize: '0.001' },
      { filterType: 'MAX_NUM_ORDERS', limit: FUTURES_CAPS.mostOrders },
      { filterType: 'MAX_NUM_ALGO_ORDERS', limit: FUTURES_CAPS.mostWaiting },
      { filterType: 'MIN_NOTIONAL', notional: String(m.minNotional) },
    ],
    orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'],
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
  })),
})
export const FUTURES_LOT = 0.001
