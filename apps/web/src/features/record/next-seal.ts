import type { Health } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { formatDateTimeYear } from '#kit/format/time.ts'

/**
 * When the next prediction is sealed, in a sentence. `timeframes` are those that the version predicts; the first of
 * their candles to close counts.
 */
export function nextSealWords(
  market: Pick<Health, 'market' | 'marketTime' | 'marketSpeed'> | undefined,
  timeframes: readonly Timeframe[],
): string {
  if (market?.marketTime === undefined || market.marketTime === null) return 'One is at every candle close.'
  const now = market.marketTime
  if (market.marketSpeed === 0)
    return `The replay stands at ${formatDateTimeYear(now)}, so no candle closes. Start Shapecast with REPLAY_SPEED=3600 and an hour passes each second.`
  if (timeframes.length === 0) return 'One is at every candle close.'
  const next = Math.min(...timeframes.map((timeframe) => nextClose(now, TIMEFRAME_MS[timeframe])))
  return `The next one is at the candle close of ${formatDateTimeYear(next)}.`
}

const nextClose = (nowMs: number, stepMs: number): number => (Math.floor(nowMs / stepMs) + 1) * stepMs
