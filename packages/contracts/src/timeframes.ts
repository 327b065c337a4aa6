import { z } from 'zod'

export const TIMEFRAMES = ['1m', '5m', '15m', '30m', '1h', '4h', '1d'] as const
export const Timeframe = z.enum(TIMEFRAMES)
export type Timeframe = z.infer<typeof Timeframe>

const MINUTE_MS = 60_000
export const TIMEFRAME_MS: Readonly<Record<Timeframe, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
}

/** Candles a year, for annualising: 365.25 days, a market that never closes. */
export const candlesPerYear = (timeframe: Timeframe): number => (365.25 * 86_400_000) / TIMEFRAME_MS[timeframe]

/**
 * Candles from `fromMs` to `toMs`: the span divided by the timeframe, rounded up, at least 1 and at most 5000;
 * 0 where a date is missing.
 */
export function candleCount(fromMs: number | null, toMs: number | null, timeframe: Timeframe): number {
  if (fromMs === null || toMs === null) return 0
  return Math.min(5000, Math.max(1, Math.ceil((toMs - fromMs) / TIMEFRAME_MS[timeframe])))
}
