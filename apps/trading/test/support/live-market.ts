import type { AccountMarket } from '../../src/ledger/market-prices.ts'

export const SECRET_KEY = 'a secret key of the installation that is long enough'

/** The market of the local exchange as accounts see it, at the price of the moment. */
export const liveMarketAt = (price: (symbol: string) => number, venue = 'binance'): AccountMarket => ({
  venue,
  kind: 'live',
  now: async () => Date.now(),
  markets: async () =>
    ['BTC', 'ETH'].map((base) => ({
      id: `${base}USDT`,
      symbol: `${base}/USDT`,
      base,
      quote: 'USDT',
      active: true,
      tickSize: 0.01,
      lotSize: 0.00001,
      minNotional: 5,
    })),
  ticker: async (symbol) => ({ symbol, last: price(symbol), change: null, percentage: null, timestamp: Date.now() }),
  candles: () => Promise.reject(new Error('not of this test')),
  newest: () => Promise.reject(new Error('not of this test')),
  missing: async () => 0,
})
