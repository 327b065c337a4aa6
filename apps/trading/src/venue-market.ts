import { AppError } from '@shapecast/contracts/errors'
import type { Health } from '@shapecast/contracts/market'
import type { Venue } from '@shapecast/venues/venue'
import type { BacktestBotDeps } from './backtests/backtest-bot.ts'
import type { AccountMarket } from './ledger/market-prices.ts'
import { liveMarketOf } from './market/live-market.ts'
import type { SeriesCandles } from './models/series-candles.ts'

/** The venue as the rooms know it: its stored candles and its rules, under its name. */
export function marketOf(venue: Venue) {
  const market: SeriesCandles & BacktestBotDeps['market'] & { kind: Health['market'] } = {
    venue: venue.name,
    kind: venue.kind,
    load: (symbol, timeframe, range) => venue.candles(symbol, timeframe, range),
    async rules(symbol) {
      const found = (await venue.markets()).find((market) => market.id === symbol)
      return found === undefined ? null : { lotSize: found.lotSize, minNotional: found.minNotional }
    },
  }
  return {
    ...market,
    /** Throws `unknown_symbol`. */
    async requireSymbol(symbol: string): Promise<void> {
      if ((await venue.markets()).some((known) => known.id === symbol)) return
      throw new AppError('unknown_symbol', `${venue.name} has no market ${symbol}.`)
    },
  }
}

/** The venue as accounts know it: its prices, its rules, and whether its candles are complete. */
export function pricesOf(venue: Venue): AccountMarket {
  const live = liveMarketOf(venue)
  return {
    venue: venue.name,
    kind: venue.kind,
    now: () => venue.now(),
    markets: () => venue.markets(),
    ticker: (symbol) => venue.ticker(symbol),
    candles: (symbol, timeframe, range) => venue.candles(symbol, timeframe, range),
    newest: (symbol, timeframe) => venue.candles(symbol, timeframe, { limit: 1 }),
    missing: async (symbol, timeframe, range) => live?.filler.missing(symbol, timeframe, range) ?? 0,
  }
}
