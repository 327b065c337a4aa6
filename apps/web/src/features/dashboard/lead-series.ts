import type { Timeframe } from '@shapecast/contracts/timeframes'

/** The market that the dashboard is about. */
export const DEFAULT_SERIES = { symbol: 'BTCUSDT', timeframe: '1h' } as const satisfies {
  symbol: string
  timeframe: Timeframe
}
/** Candles of its chart in view at first. */
export const CHART_CANDLES = 100
