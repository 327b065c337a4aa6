import type { Candles } from '@shapecast/engine/candles'
import { type OpenExchangeOptions, openExchange } from '../ccxt/live-markets.ts'
import type { LiveVenue } from '../live-venue.ts'
import { randomCandles } from './candle-files.ts'
import { type LocalExchange, type LocalExchangeOptions, startLocalExchange } from './local-exchange/local-exchange.ts'

export const MINUTE_MS = 60_000
export const SERIES_START_MS = Date.UTC(2024, 0, 1)

/** Two coins with a week of minutes. */
export const weekOfMinutes = (): Record<string, Candles> => ({
  BTCUSDT: randomCandles(10_080, SERIES_START_MS, '1m', 1),
  ETHUSDT: randomCandles(10_080, SERIES_START_MS, '1m', 2),
})

/** A local exchange, and ccxt's Binance that talks to it on the exchange's own clock. `close` ends both. */
export async function openLocalVenue(
  options: Partial<LocalExchangeOptions> = {},
  settings: Partial<OpenExchangeOptions> = {},
): Promise<{ exchange: LocalExchange; venue: LiveVenue; close: () => Promise<void> }> {
  const exchange = await startLocalExchange({
    series: weekOfMinutes(),
    startMs: SERIES_START_MS + 3000 * MINUTE_MS + 10_000,
    ...options,
  })
  const venue = await openExchange('binance', {
    urls: exchange.urls,
    now: () => exchange.clock.now(),
    steadyMs: settings.now ?? (() => exchange.clock.now()),
    firstWaitMs: 20,
    confirmAfterMs: 50,
    // A machine that stands still for a while is no exchange that does not answer.
    timeoutMs: 60_000,
    ...settings,
  })
  const close = async () => {
    await venue.close()
    await exchange.close()
  }
  return { exchange, venue, close }
}

/** Waits until it holds; throws where it does not within two minutes, which no machine is too slow for. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 120_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`still waiting for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
