import type { BotParameters } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'

/** The candles at whose close a bot decides. */
export const timeframeOf = (parameters: BotParameters | null): Timeframe => parameters?.timeframe ?? '1h'

/** When the candle that forms at a moment closes, ms. */
export const nextCloseAfter = (timeframe: Timeframe, nowMs: number): number => {
  const step = TIMEFRAME_MS[timeframe]
  return Math.floor(nowMs / step) * step + step
}
