import type { Candles } from '@shapecast/engine/candles'
import { missingRuns, type Run } from './missing-candles.ts'

/**
 * Tells the gaps of a venue from what is only not there yet: it is given every answer of the venue, in order, and a
 * candle is a gap once the venue has been asked for it and has sent a later one.
 */
export function createGapFinder(fromMs: number, stepMs: number): { next(candles: Candles, refused: number): Run[] } {
  let unanswered = fromMs
  let someRefused = false
  return {
    next(candles, refused) {
      someRefused ||= refused > 0
      const last = candles.ts.at(-1)
      if (last === undefined) return []
      const gaps = missingRuns(candles.ts, { fromMs: unanswered, toMs: last }, stepMs)
      unanswered = last + stepMs
      // A row that was refused is a candle that exists, in this answer or in one of such rows only before it.
      const found = someRefused ? [] : gaps
      someRefused = false
      return found
    },
  }
}
