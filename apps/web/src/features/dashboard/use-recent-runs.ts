import { backtestRuns } from '@shapecast/contracts/backtest'
import { useFirstLoadOver } from '../../shared/api/first-load.ts'
import { useRefreshMs } from '../../shared/api/refresh.ts'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'

const FETCHED = 10

/** The newest backtests, asked for every 30 s. */
export const useRecentRuns = () =>
  useEndpointQuery(
    backtestRuns,
    { query: { limit: FETCHED } },
    { enabled: useFirstLoadOver(), refetchInterval: useRefreshMs() },
  )
