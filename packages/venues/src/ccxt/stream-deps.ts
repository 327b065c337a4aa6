import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { CandleQuery } from '../venue.ts'
import type { ExchangeStreams } from './calls/exchange-calls.ts'
import type { HistoryAnswer } from './candle-pages.ts'
import type { ConnectionMonitor } from './connection-monitor.ts'
import type { KnownMarkets } from './known-markets.ts'
import type { WatchSettings } from './watch-group.ts'

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
