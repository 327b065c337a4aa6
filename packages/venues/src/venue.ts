import type { Market, MarketKind, Ticker } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'

/**
 * Which candles of a series. Times are open times in ms: `fromMs` and `toMs` are included, `beforeMs` is not. Where
 * `limit` is there too, the newest so many of them.
 */
export interface CandleQuery {
  readonly limit?: number | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly beforeMs?: number | undefined
}

/** Where candles and prices come from. Every answer is bounded by the venue's own clock. */
export interface Venue {
  /** `replay`, `simulated`, or an exchange's id; what candles, models, runs and bots are labelled with. */
  readonly name: string
  readonly kind: MarketKind
  /** The market's clock, ms. Null for a replay without candles. */
  now(): Promise<number | null>
  /** Seconds of its clock a second, 0 where it stands still; left out where it keeps the time of day. */
  readonly speed?: number
  markets(): Promise<Market[]>
  /**
   * Closed candles, oldest first; fewer than asked for at the end. Throws `unknown_symbol` where the
   * venue has no such market and `venue_unreachable` where it does not answer.
   */
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Candles>
  /** Throws as `candles` does, and `no_candles` without a price yet. */
  ticker(symbol: string): Promise<Ticker>
  /** The candle that forms now, where the venue knows it better than its closed smaller ones say. */
  openCandle?(symbol: string, timeframe: Timeframe): Promise<Candles>
}

/** A query as one closed range of open times, all ends taken into account. Infinite where it is open. */
export function rangeOf(query: CandleQuery, lastOpenMs = Number.POSITIVE_INFINITY): { fromMs: number; toMs: number } {
  const {
    fromMs = Number.NEGATIVE_INFINITY,
    toMs = Number.POSITIVE_INFINITY,
    beforeMs = Number.POSITIVE_INFINITY,
  } = query
  return { fromMs, toMs: Math.min(toMs, beforeMs - 1, lastOpenMs) }
}

/** The open time of the last candle that has closed by `nowMs`. */
export const lastClosedOpen = (timeframe: Timeframe, nowMs: number): number => {
  const step = TIMEFRAME_MS[timeframe]
  return Math.floor(nowMs / step) * step - step
}

/** The part of `candles` that a query asks for, as views on the same memory. */
export function selectCandles(candles: Candles, range: { fromMs: number; toMs: number }, limit?: number): Candles {
  const end = indexAtOrAfter(candles, range.toMs + 1)
  const start = range.fromMs > 0 ? indexAtOrAfter(candles, range.fromMs) : 0
  return sliceCandles(candles, limit === undefined ? start : Math.max(start, end - limit), Math.max(start, end))
}
