import type { Timeframe } from '@shapecast/contracts/timeframes'

/** How long a shared cache and a browser may show candles while they fetch newer ones, in seconds. */
export const OHLCV_KEPT_S: Readonly<Record<Timeframe, number>> = {
  '1m': 15,
  '5m': 45,
  '15m': 120,
  '30m': 180,
  '1h': 240,
  '4h': 600,
  '1d': 1800,
}
export const PRICE_KEPT_S = 10
export const MARKETS_KEPT_S = 3600

/** For so long nobody asks again at all. */
const FRESH_S = 2

/**
 * What may be kept of a reply: what everybody may read by anybody, fresh for two seconds and shown for `keptS` while it
 * is fetched again (RFC 5861); a signed-in person's by the browser alone, which asks each time whether it still holds.
 */
export const cacheControlOf = (isPublic: boolean, keptS: number): string =>
  isPublic ? `public, max-age=${FRESH_S}, stale-while-revalidate=${keptS}` : 'private, no-cache'
