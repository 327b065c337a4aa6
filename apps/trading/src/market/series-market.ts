import { AppError } from '@shapecast/contracts/errors'
import type { Market, MarketKind } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import type { CandleQuery, Venue } from '@shapecast/venues/venue'

/** Open times in ms, both ends included; where `limit` is there too, the newest so many of them. */
export type CandleRange = Omit<CandleQuery, 'beforeMs'>

/** What trading a symbol goes by: lot, smallest notional, and the funding of its future where rates are stored. */
export interface SymbolRules extends Pick<Market, 'lotSize' | 'minNotional'> {
  readonly funding?: FundingSeries | null
  /** Of prices; 0 or left out where it is not known. */
  readonly tickSize?: number
}

/** The candles and rules of one venue. */
export interface SeriesMarket {
  readonly venue: string
  readonly kind: MarketKind
  /** Closed candles, oldest first; empty where none are stored. Throws `unknown_symbol`. */
  load(symbol: string, timeframe: Timeframe, range: CandleRange): Promise<Candles>
  /** Null where the venue has no such market. */
  rules(symbol: string): Promise<SymbolRules | null>
  /** Throws `unknown_symbol`. */
  requireSymbol(symbol: string): Promise<void>
}

export type CandleSource = Pick<SeriesMarket, 'load'>
export type VenueCandles = Pick<SeriesMarket, 'venue' | 'load'>

export const marketOf = (
  venue: Venue,
  fundingOf: (symbol: string) => Promise<FundingSeries | null> = async () => null,
): SeriesMarket => ({
  venue: venue.name,
  kind: venue.kind,
  load: (symbol, timeframe, range) => venue.candles(symbol, timeframe, range),
  async rules(symbol) {
    const found = (await venue.markets()).find((market) => market.id === symbol)
    if (found === undefined) return null
    const { lotSize, minNotional, tickSize } = found
    return { lotSize, minNotional, tickSize, funding: await fundingOf(symbol) }
  },
  async requireSymbol(symbol) {
    if ((await venue.markets()).some((known) => known.id === symbol)) return
    throw new AppError('unknown_symbol', `${venue.name} has no market ${symbol}.`)
  },
})
