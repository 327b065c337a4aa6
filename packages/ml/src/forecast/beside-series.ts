import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'

/** Another series that a model looks at; without a symbol the coin that it forecasts. */
export interface BesideSeries {
  symbol: string | null
  timeframe: Timeframe
}

/** Candles of those series, by `besideKey`. */
export type Beside = Readonly<Record<string, Candles>>

export const besideKey = ({ symbol, timeframe }: BesideSeries): string => `${symbol ?? ''} ${timeframe}`
