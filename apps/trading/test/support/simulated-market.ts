import { createSimulatedVenue } from '@shapecast/venues/simulated/simulated-venue'
import type { AccountMarket } from '../../src/ledger/market-prices.ts'

/** The simulated market at a time of the test's choice: the same prices in every process. */
export function simulatedMarket(now: () => number): AccountMarket {
  const venue = createSimulatedVenue({ now })
  return {
    venue: venue.name,
    kind: venue.kind,
    now: venue.now,
    markets: venue.markets,
    ticker: venue.ticker,
    candles: venue.candles,
    newest: (symbol, timeframe) => venue.candles(symbol, timeframe, { limit: 1 }),
    missing: async () => 0,
  }
}
