import type { Health, Series } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'

/** The first and the last moment of a range, ms; `toMs` itself is no longer part of it. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

const DAY_MS = 86_400_000
export const DEFAULT_DAYS = 30

export const utcDayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS
/** The end of a day, but not later than the market's clock. */
export const utcDayEnd = (ms: number, marketNowMs: number): number =>
  Math.min(utcDayStart(ms) + DAY_MS, Math.max(marketNowMs, utcDayStart(ms) + 1))

export interface MarketClock {
  readonly kind: Health['market']
  readonly nowMs: number
}

/**
 * The stored series that candles of a timeframe come from: its own, else the widest of the finer ones, from which they
 * are put together.
 */
export function seriesFor(
  all: readonly Series[],
  symbol: string | undefined,
  timeframe: Timeframe,
): Series | undefined {
  return all
    .filter((series) => series.symbol === symbol && TIMEFRAME_MS[series.timeframe] <= TIMEFRAME_MS[timeframe])
    .sort((a, b) => TIMEFRAME_MS[b.timeframe] - TIMEFRAME_MS[a.timeframe])[0]
}

/**
 * The last 30 days up to the market's now, whole candles only. Where the market is made of stored candles, it ends
 * with the last of them and begins no earlier than the first.
 */
export function defaultRange(clock: MarketClock, timeframe: Timeframe, series: Series | undefined): TimeRange {
  const stepMs = TIMEFRAME_MS[timeframe]
  const nowMs = Math.floor(clock.nowMs / stepMs) * stepMs
  if (series === undefined || clock.kind === 'live') return { fromMs: nowMs - DEFAULT_DAYS * DAY_MS, toMs: nowMs }
  const toMs = Math.min(nowMs, series.last + stepMs) > series.first ? Math.min(nowMs, series.last + stepMs) : nowMs
  return { fromMs: Math.max(series.first, toMs - DEFAULT_DAYS * DAY_MS), toMs }
}
