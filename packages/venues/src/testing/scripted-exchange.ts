import type { ExchangeCandle, ExchangeMarket, ExchangeStreams } from '../ccxt/calls/exchange-calls.ts'

/** A market as ccxt describes it. */
export const scriptedMarket = (over: Partial<ExchangeMarket> = {}): ExchangeMarket => ({
  symbol: 'BTC/USDT',
  id: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  spot: true,
  active: true,
  precision: { price: 0.01, amount: 0.00001 },
  limits: { cost: { min: 5 } },
  ...over,
})

/** An exchange that pages as Binance does over `history`: from `since` on, at most 1000. */
export function scriptedExchange(
  history: readonly ExchangeCandle[],
  over: Partial<ExchangeStreams> = {},
): ExchangeStreams {
  const never = (): Promise<never> => new Promise(() => {})
  return {
    id: 'scripted',
    precisionMode: 4,
    has: {},
    options: {},
    clients: {},
    loadMarkets: async () => ({
      'BTC/USDT': scriptedMarket(),
      'BTC/USDT:USDT': scriptedMarket({ symbol: 'BTC/USDT:USDT', spot: false, swap: true, linear: true }),
    }),
    fetchTime: async () => undefined,
    fetchOHLCV: async (_symbol, _timeframe, since, limit) => history.filter(([ts]) => ts! >= since).slice(0, limit),
    fetchTicker: async () => ({ last: 100, change: 2, percentage: 2.04, timestamp: 1 }),
    fetchOrderBook: async () => ({ bids: [[99, 1]], asks: [[101, 2]] }),
    watchOHLCV: never,
    watchOHLCVForSymbols: never,
    watchTicker: never,
    watchTickers: never,
    unWatchOHLCV: async () => undefined,
    unWatchTicker: async () => undefined,
    client: (url) => ({ url, onError: () => {}, send: async () => undefined, close: () => undefined }),
    handleMessage: () => undefined,
    onConnected: () => undefined,
    onError: () => undefined,
    onClose: () => undefined,
    close: async () => undefined,
    ...over,
  }
}
