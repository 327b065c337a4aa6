import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { liveEvents } from '#wire/live/browser-live-events.ts'

/**
 * Calls `listener` once for every candle of a series that closes, told by the live stream: by a closed candle, or by one
 * that opened after it. Also where events were lost. Returns what ends the listening.
 */
export function onCandleClose(symbol: string, timeframe: Timeframe, listener: () => void): () => void {
  let lastClosed: number | null = null
  return liveEvents.listen({ kind: 'candle', symbol, timeframe }, (message) => {
    if (message.event === 'reset') return listener()
    if (message.event !== 'candle') return
    const { candle, closed } = message.data
    const closedAt = closed ? candle[0] : candle[0] - TIMEFRAME_MS[timeframe]
    const isNews = lastClosed !== null && closedAt > lastClosed
    lastClosed = Math.max(lastClosed ?? closedAt, closedAt)
    if (isNews) listener()
  })
}
