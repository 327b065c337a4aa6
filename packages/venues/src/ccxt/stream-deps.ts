import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { CandleQuery } from '../venue.ts'
import { createBackoff, sleep } from './backoff.ts'
import type { ExchangeMarket, ExchangeStreams } from './calls/exchange-calls.ts'
import type { HistoryAnswer } from './candle-pages.ts'
import type { ConnectionMonitor } from './connection-monitor.ts'
import type { KnownMarkets } from './known-markets.ts'
import type { WatchSettings } from './watch-group.ts'

/** Waits for a market of the venue; null if the venue does not have it, or the caller no longer wants it. */
export async function awaitedMarket(
  deps: Pick<StreamDeps, 'markets' | 'settings'>,
  symbol: string,
  signal: AbortSignal,
): Promise<ExchangeMarket | null> {
  const { firstWaitMs, random } = deps.settings
  const backoff = createBackoff({ firstMs: firstWaitMs, maxMs: 30_000, random })
  while (!signal.aborted)
    try {
      const market = await deps.markets.of(symbol)
      return signal.aborted ? null : market
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_symbol') return null
      await sleep(backoff.next(), signal).catch(() => {})
    }
  return null
}

/** What the streams of a venue are made of. */
export interface StreamDeps {
  readonly exchange: ExchangeStreams
  readonly markets: KnownMarkets
  readonly monitor: ConnectionMonitor
  readonly settings: WatchSettings
  /** The venue's clock. */
  readonly now: () => number
  /** Closed candles from the history. */
  readonly read: (symbol: string, timeframe: Timeframe, query: CandleQuery) => Promise<HistoryAnswer>
  /** How long a closing message may be late before the history is asked, ms. */
  readonly confirmAfterMs: number
}
