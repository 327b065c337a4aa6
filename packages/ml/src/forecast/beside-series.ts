import type { BesideSeries } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'

/** Candles of those series, by `besideKey`. */
export type Beside = Readonly<Record<string, Candles>>

export const besideKey = ({ symbol, timeframe }: BesideSeries): string => `${symbol ?? ''} ${timeframe}`
