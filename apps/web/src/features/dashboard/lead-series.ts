import type { Timeframe } from '@shapecast/contracts/timeframes'
import { paths } from '#routes/paths.ts'

/** The market that the dashboard is about. */
export const DEFAULT_SERIES = { symbol: 'BTCUSDT', timeframe: '1h' } as const satisfies {
  symbol: string
  timeframe: Timeframe
}
/** The page on which a market is traded by hand. */
export const tradePath = (symbol: string): string => paths.trade(symbol === DEFAULT_SERIES.symbol ? null : symbol)
/** Candles of its chart in view at first. */
export const CHART_CANDLES = 100
