import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'

/** Versions whose predictions go on record. */
export const SEALED_STAGES = ['production', 'staging'] as const

const SHORTEST_MS = 15_000
const LONGEST_MS = 5 * 60_000

/**
 * Until when, in ms of the market's clock, the candle that opened at `candleTs` may be sealed: a tenth of a candle after its
 * close, at least 15 s and at most 5 min. Later, the next candle would show too much of the outcome: anyone who trained ten
 * models meanwhile could put on record the one that looks best.
 */
export const sealableUntil = (candleTs: number, timeframe: Timeframe): number => {
  const step = TIMEFRAME_MS[timeframe]
  return candleTs + step + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, step / 10))
}
