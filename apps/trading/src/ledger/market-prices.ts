import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { Market, MarketKind, Ticker } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { Venue } from '@shapecast/venues/venue'
import { liveMarketOf } from '../market/live-market.ts'

/** What this room needs of the market. Throws `unknown_symbol`, `no_candles` and `venue_unreachable`. */
export interface AccountMarket extends Pick<Venue, 'kind' | 'now' | 'markets' | 'ticker'> {
  readonly venue: string
  /** Closed candles whose open times lie in the range, oldest first. */
  candles(symbol: string, timeframe: Timeframe, range: { fromMs: number; toMs: number }): Promise<Candles>
  /** The newest closed candle; none if there is no such series. */
  newest(symbol: string, timeframe: Timeframe): Promise<Candles>
  /** How many candles of a range the venue has and we do not (yet). */
  missing(symbol: string, timeframe: Timeframe, range: { fromMs: number; toMs: number }): Promise<number>
}

/** What orders need of a market: its rules, and its price now. */
export type PriceSource = Pick<AccountMarket, 'venue' | 'kind' | 'now' | 'markets' | 'ticker'>

/** A market with a price that orders may be filled at now. */
export interface Quote {
  readonly market: Market
  /** Quote per base, before slippage. */
  readonly price: number
  readonly marketNowMs: number
  /** To be called under the account's lock, for which somebody may have had to wait. Throws as `quoteOf` does. */
  requireFresh(): void
}

const MINUTE_MS = 60_000
/** The oldest price that an order is filled at. A replay has only its candles' closes, of a day perhaps. */
const OLDEST_PRICE_MS: Readonly<Record<MarketKind, number>> = {
  live: MINUTE_MS,
  simulated: MINUTE_MS,
  replay: 1_440 * MINUTE_MS,
}

/** Whether a price is young enough to act on. Times in ms of the market's clock. */
export const isFresh = (kind: MarketKind, priceAtMs: number, marketNowMs: number): boolean =>
  marketNowMs - priceAtMs <= OLDEST_PRICE_MS[kind]

/** Null if there is no price now, or only a stale one. */
export async function freshTicker(source: PriceSource, symbol: string): Promise<Ticker | null> {
  try {
    const ticker = await source.ticker(symbol)
    return isFresh(source.kind, ticker.timestamp, (await source.now()) ?? ticker.timestamp) ? ticker : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * The market of a symbol and its price now. Throws `unknown_symbol`, `unprocessable` where it is not traded or not in
 * the account's currency, and `venue_unreachable` where the last price is too old.
 */
export async function quoteOf(source: PriceSource, symbol: string, now: () => number): Promise<Quote> {
  const market = (await source.markets()).find(({ id }) => id === symbol)
  if (market === undefined)
    throw new AppError('unknown_symbol', `${source.venue} has no market ${symbol}.`, { field: 'symbol' })
  if (!market.active)
    throw new AppError('unprocessable', `${symbol} is not traded on ${source.venue} now.`, { field: 'symbol' })
  if (market.quote !== ACCOUNT_CURRENCY)
    throw new AppError(
      'unprocessable',
      `Your account holds ${ACCOUNT_CURRENCY}; ${symbol} is priced in ${market.quote || 'another currency'}. Choose a market in ${ACCOUNT_CURRENCY}.`,
      { field: 'symbol' },
    )
  const ticker = await source.ticker(symbol)
  const askedAtMs = now()
  const marketNowMs = (await source.now()) ?? ticker.timestamp
  if (!(ticker.last > 0))
    throw new AppError('venue_unreachable', `${source.venue} gives no price of ${symbol}. Try again in a moment.`)
  const requireFresh = () => {
    const ageMs = marketNowMs - ticker.timestamp + Math.max(0, now() - askedAtMs)
    if (ageMs <= OLDEST_PRICE_MS[source.kind]) return
    throw new AppError(
      'venue_unreachable',
      `The last price of ${symbol} is stale: ${Math.round(ageMs / 1000)} s old, and orders are filled at prices of at most ${OLDEST_PRICE_MS[source.kind] / 1000} s. Nothing was done; try again once prices arrive.`,
    )
  }
  requireFresh()
  return { market, price: ticker.last, marketNowMs, requireFresh }
}

/** The prices, rules and complete candles of a venue. */
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
