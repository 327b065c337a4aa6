import { backtestRuns } from '@shapecast/contracts/backtest'
import { useFirstLoadOver } from '#wire/calls/first-load.ts'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const FETCHED = 10

/** The newest backtests, asked for every 30 s. */
export const useRecentRuns = () =>
  useEndpointQuery(
    backtestRuns,
    { query: { limit: FETCHED } },
    { enabled: useFirstLoadOver(), refetchInterval: REFRESH_MS },
  )
