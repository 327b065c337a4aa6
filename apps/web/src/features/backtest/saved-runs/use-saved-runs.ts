import { backtestRuns } from '@shapecast/contracts/backtest'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const AUTO_LIMIT = 10
const REFRESH_LIMIT = 20

/** The newest saved runs: 10 by themselves, 20 once somebody asks again. */
export function useSavedRuns() {
  const [limit, setLimit] = useState(AUTO_LIMIT)
  const runs = useEndpointQuery(backtestRuns, { query: { limit } }, { placeholderData: keepPreviousData })
  const refresh = () => {
    if (limit === REFRESH_LIMIT) void runs.refetch()
    else setLimit(REFRESH_LIMIT)
  }
  return { runs, refresh }
}
