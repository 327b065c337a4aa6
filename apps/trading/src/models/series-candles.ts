import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'

/** Which candles of a series: the newest `limit`, or those that opened in [fromMs, toMs], or the last `limit` up to `toMs`. */
export interface CandleRange {
  fromMs?: number | undefined
  toMs?: number | undefined
  limit?: number | undefined
}

/** What this room needs of the market: the stored candles of its venue. */
export interface SeriesCandles {
  readonly venue: string
  /** Oldest first; empty where none are stored. Throws `unknown_symbol` where the venue has no such market. */
  load(symbol: string, timeframe: Timeframe, range: CandleRange): Promise<Candles>
}
