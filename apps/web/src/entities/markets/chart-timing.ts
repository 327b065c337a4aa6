import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
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

/** What lasts so many seconds at each timeframe, from 1m to 1d. */
const timing = (...seconds: readonly number[]) =>
  Object.fromEntries(TIMEFRAMES.map((timeframe, i) => [timeframe, seconds[i]! * 1000])) as Readonly<
    Record<Timeframe, number>
  >

/** How often an open chart asks for its newest candles. */
export const CHART_REFRESH_MS = timing(15, 30, 60, 90, 120, 300, 600)
/** How long stored candles count as fresh when a chart is opened again. */
export const CANDLE_CACHE_MS = timing(15, 45, 120, 180, 240, 600, 1800)
/** How long stored predictions count as fresh. */
export const PREDICTION_CACHE_MS = timing(10, 30, 60, 90, 120, 300, 600)
