import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { FUTURE_STEPS } from './price-input.ts'

const MINUTE_MS = 60_000

/** The span of the future zone in words: `Next 6 h`, `Next 30 min`, `Next 6 d`. */
export function futureLabel(timeframe: Timeframe): string {
  const minutes = (FUTURE_STEPS * TIMEFRAME_MS[timeframe]) / MINUTE_MS
  if (minutes < 60) return `Next ${minutes} min`
  if (minutes <= 24 * 60) return `Next ${minutes / 60} h`
  return `Next ${minutes / (24 * 60)} d`
}
