import { backtestRuns } from '@shapecast/contracts/backtest'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const FETCHED = 10

/** The newest backtests, asked for every 30 s. */
export const useRecentRuns = () =>
  useEndpointQuery(backtestRuns, { query: { limit: FETCHED } }, { refetchInterval: REFRESH_MS })
