import { AppError } from '@shapecast/contracts/errors'
import type { Market, MarketKind } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { Venue } from '@shapecast/venues/venue'

/** Open times in ms, both ends included; where `limit` is there too, the newest so many of them. */
export interface CandleRange {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly limit?: number | undefined
}

/** The candles and rules of one venue. */
export interface SeriesMarket {
  readonly venue: string
  readonly kind: MarketKind
  /** Closed candles, oldest first; empty where none are stored. Throws `unknown_symbol`. */
  load(symbol: string, timeframe: Timeframe, range: CandleRange): Promise<Candles>
  /** Lot and smallest notional; null where the venue does not say. */
  rules(symbol: string): Promise<Pick<Market, 'lotSize' | 'minNotional'> | null>
  /** Throws `unknown_symbol`. */
  requireSymbol(symbol: string): Promise<void>
}

export type CandleSource = Pick<SeriesMarket, 'load'>
export type VenueCandles = Pick<SeriesMarket, 'venue' | 'load'>

export const marketOf = (venue: Venue): SeriesMarket => ({
  venue: venue.name,
  kind: venue.kind,
  load: (symbol, timeframe, range) => venue.candles(symbol, timeframe, range),
  async rules(symbol) {
    const found = (await venue.markets()).find((market) => market.id === symbol)
    return found === undefined ? null : { lotSize: found.lotSize, minNotional: found.minNotional }
  },
  async requireSymbol(symbol) {
    if ((await venue.markets()).some((known) => known.id === symbol)) return
    throw new AppError('unknown_symbol', `${venue.name} has no market ${symbol}.`)
  },
})
