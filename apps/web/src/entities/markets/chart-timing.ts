import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { QueryKey } from '@tanstack/react-query'
import { endpointKey } from '#wire/calls/use-endpoint.ts'

/** What a chart shows: candles of one market, and what was said of them. */
export interface ChartSeries {
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Candles that the chart shows at first. */
  readonly limit: number
}

/** Under which key the pages of a series are kept, for one endpoint. */
export const seriesKey = (endpoint: AnyEndpoint, { symbol, timeframe, limit }: ChartSeries): QueryKey => [
  ...endpointKey(endpoint),
  'series',
  symbol,
  timeframe,
  limit,
]

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** How often an open chart asks for its newest candles. */
export const CHART_REFRESH_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 15 * SECOND_MS,
  '5m': 30 * SECOND_MS,
  '15m': 60 * SECOND_MS,
  '30m': 90 * SECOND_MS,
  '1h': 120 * SECOND_MS,
  '4h': 300 * SECOND_MS,
  '1d': 600 * SECOND_MS,
}

/** How long stored candles count as fresh when a chart is opened again. */
export const CANDLE_CACHE_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 15 * SECOND_MS,
  '5m': 45 * SECOND_MS,
  '15m': 2 * MINUTE_MS,
  '30m': 3 * MINUTE_MS,
  '1h': 4 * MINUTE_MS,
  '4h': 10 * MINUTE_MS,
  '1d': 30 * MINUTE_MS,
}

/** How long stored predictions count as fresh. */
export const PREDICTION_CACHE_MS: Readonly<Record<Timeframe, number>> = {
  '1m': 10 * SECOND_MS,
  '5m': 30 * SECOND_MS,
  '15m': 60 * SECOND_MS,
  '30m': 90 * SECOND_MS,
  '1h': 2 * MINUTE_MS,
  '4h': 5 * MINUTE_MS,
  '1d': 10 * MINUTE_MS,
}
