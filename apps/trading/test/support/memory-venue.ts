import { AppError } from '@shapecast/contracts/errors'
import type { Candles } from '@shapecast/engine/candles'
import { emptyCandles } from '@shapecast/engine/candles'
import { rangeOf, selectCandles, type Venue } from '@shapecast/venues/venue'

/** A replay venue over candles in memory, by `SYMBOL timeframe`. Lot 0.001, least notional 5. */
export const memoryVenue = (series: Record<string, Candles>): Venue => {
  const symbols = [...new Set(Object.keys(series).map((name) => name.split(' ')[0]!))]
  const known = (symbol: string) => {
    if (!symbols.includes(symbol)) throw new AppError('unknown_symbol', `There is no market ${symbol}.`)
  }
  return {
    name: 'replay',
    kind: 'replay',
    now: async () => null,
    markets: async () =>
      symbols.map((id) => ({
        id,
        symbol: `${id.slice(0, -4)}/USDT`,
        base: id.slice(0, -4),
        quote: 'USDT',
        active: true,
        tickSize: 0.01,
        lotSize: 0.001,
        minNotional: 5,
      })),
    async candles(symbol, timeframe, query) {
      known(symbol)
      const found = series[`${symbol} ${timeframe}`]
      return found === undefined ? emptyCandles(0) : selectCandles(found, rangeOf(query), query.limit)
    },
    async ticker(symbol) {
      known(symbol)
      throw new AppError('no_candles', 'There is no price yet.')
    },
  }
}
