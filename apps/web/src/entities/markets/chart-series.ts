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
